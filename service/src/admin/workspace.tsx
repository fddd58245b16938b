import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { AdminParts } from './slice.ts';
import {
  auditSubjectsOf,
  findKey,
  findWorkspace,
  isClosed,
  type LimitChoice,
  limitOf,
  planChangedMs,
  revokeKey,
  setPlan,
  setSuspended,
  type Workspace,
  membersOf,
  workspaceSubject,
  type Plan,
  PLANS,
} from '../workspaces/index.ts';
import { actorOf, existing, recheckOf } from '../people/index.ts';
import { namesIn } from '../corrections/index.ts';
import { KeyTable, placeIn, readKeys, RevokeKey, limitText, planName } from '../workspaces/pages/index.ts';
import { usageReport } from '../metering/index.ts';
import { type AuditEntry, listAudit } from '../kernel/audit/index.ts';
import { Field, NoticeText, PostButton, Select } from '../kernel/ui/fields.tsx';
import { formOf, formStatus, textField } from '../kernel/ui/forms.ts';
import { addActingPage, type PageQuery } from '../kernel/ui/flash.ts';
import { pageOf } from '../kernel/lists.ts';
import { count } from '../kernel/ui/numbers.ts';
import { Stats } from '../kernel/ui/stats.tsx';
import { Moment, monthText } from '../kernel/ui/times.tsx';
import { AuditTable } from '../kernel/audit/audit-table.tsx';
import { sendAdminPage } from '../kernel/ui/admin-frame.tsx';
import { Confirm } from '../kernel/ui/confirm.tsx';
import { Table } from '../kernel/ui/table.tsx';
import type { PageKit } from '../kernel/ui/page-kit.ts';
import { PostForm } from '../kernel/ui/post-form.tsx';

/** Members that the page shows. */
const MEMBERS = 25;

/** Entries of the history that the page shows. */
const HISTORY = 20;

interface WorkspaceParams {
  slug: string;
  /** The id of a key. */
  id?: string;
}

interface WorkspaceRoute {
  Params: WorkspaceParams;
  Querystring: PageQuery;
}

interface Result {
  done?: string;
  fault?: string;
}

/** Adds the page of one workspace: plan, limit, suspension, keys. */
export function addWorkspace(scope: FastifyInstance, deps: AdminParts & PageKit): void {
  const act = addActingPage<WorkspaceParams, Result>(scope, {
    flash: deps.flash,
    path: '/admin/workspaces/:slug',
    send: (request, reply, result) => sendWorkspace(deps, request, reply, result),
  });

  act('plan', async (request) => {
    const form = formOf(request);
    const plan = PLANS.find((known) => known === form.get('plan'));
    const limit = limitChoice(form);
    if (plan === undefined || limit === undefined)
      return { fault: 'Choose a plan and a limit: a whole number from 0 to 1,000,000,000, that of the plan, or none.' };
    existing(await setPlan(actingAs(deps, request), request.params.slug, { plan, limit }, actorOf(request)));
    return { done: 'Saved. The change takes effect within two seconds.' };
  });

  act('suspend', async (request) => {
    const choice = formOf(request).get('suspended');
    if (choice !== 'yes' && choice !== 'no')
      return { fault: 'Choose whether to suspend the workspace or to resume it.' };
    const isSuspending = choice === 'yes';
    existing(await setSuspended(actingAs(deps, request), request.params.slug, isSuspending, actorOf(request)));
    return { done: isSuspending ? 'Suspended: its keys are refused within two seconds.' : 'Its keys work again.' };
  });

  act('keys/:id/revoke', async (request) => {
    const workspace = existing(await findWorkspace(deps.database, request.params.slug));
    const key = existing(await findKey(deps.database, workspace.id, request.params.id ?? ''));
    await revokeKey(actingAs(deps, request), key.id, actorOf(request));
    return { done: `The key ${key.name} is revoked.` };
  });
}

/** Returns the dependencies of an administrator's acts. */
function actingAs(deps: AdminParts & PageKit, request: FastifyRequest<{ Params: WorkspaceParams }>) {
  return { ...deps, recheck: recheckOf(deps.database, request) };
}

function limitChoice(form: URLSearchParams): LimitChoice | undefined {
  const kind = form.get('limit-kind');
  if (kind === 'plan' || kind === 'none') return { kind };
  if (kind !== 'fixed') return undefined;
  const text = textField(form, 'limit', 12);
  const limit = Number(text);
  return /^\d{1,10}$/.test(text) && limit <= 1_000_000_000 ? { kind: 'fixed', limit } : undefined;
}

async function sendWorkspace(
  deps: AdminParts & PageKit,
  { params: { slug }, query }: FastifyRequest<WorkspaceRoute>,
  reply: FastifyReply,
  result: Result,
): Promise<FastifyReply> {
  const view = await readWorkspace(deps, slug, placeIn(query));
  return sendAdminPage(reply, {
    tab: '/admin/workspaces',
    title: slug,
    status: formStatus(result.fault),
    children: <WorkspacePage {...view} result={result} />,
  });
}

/** Reads everything the page shows about a workspace. */
async function readWorkspace(deps: AdminParts & PageKit, slug: string, after: ReturnType<typeof placeIn>) {
  const { database } = deps;
  const workspace = existing(await findWorkspace(database, slug));
  const nowMs = deps.clock();
  const keys = await readKeys(database, workspace.id, `/admin/workspaces/${slug}`, after);
  const [isGone, members, months, history, planSetMs] = await Promise.all([
    isClosed(database, workspace),
    membersOf(database, workspace.id, { limit: MEMBERS + 1 }),
    usageReport(database, workspaceSubject(workspace.id), nowMs),
    listAudit(database, { subjects: auditSubjectsOf(database, slug), limit: HISTORY + 1 }),
    planChangedMs(database, workspace.id),
  ]);
  const planSinceMs = planSetMs ?? workspace.createdAtMs;
  const [month] = months;
  const names = await namesIn(database, history);
  const limit = limitOf(workspace, deps.config.planLimits, nowMs);
  const state = isGone ? 'Closed' : workspace.suspendedAtMs === null ? 'Active' : 'Suspended';
  return { workspace, state, planSinceMs, limit, keys, members, month, history, names, nowMs };
}

type WorkspaceView = Awaited<ReturnType<typeof readWorkspace>>;

function WorkspacePage(props: WorkspaceView & { result: Result }) {
  const { workspace, state, planSinceMs, limit, keys, members, month, history, names, nowMs, result } = props;
  return (
    <>
      <NoticeText tone="good" text={result.done} />
      <Stats
        figures={[
          {
            label: `Used in ${monthText(month?.startMs ?? nowMs)}`,
            value: count(month?.charged ?? 0),
            note: `of ${limit === null ? 'no limit' : limitText(limit)}`,
          },
          {
            label: 'Plan',
            value: planName(workspace.plan),
            note: (
              <>
                since <Moment ms={planSinceMs} />
              </>
            ),
          },
          { label: 'State', value: state },
        ]}
      />
      {state === 'Closed' ? null : (
        <>
          <PlanForm workspace={workspace} fault={result.fault} />
          <Suspension workspace={workspace} />
        </>
      )}
      <section>
        <h2>Keys</h2>
        <KeyTable
          {...keys}
          nowMs={nowMs}
          empty="This workspace has no keys."
          actions={(key) => (
            <RevokeKey apiKey={key} path={`/admin/workspaces/${workspace.slug}/keys/${key.id}/revoke`} />
          )}
        />
      </section>
      <Members members={members} />
      <History slug={workspace.slug} entries={history} names={names} />
    </>
  );
}

function Members({ members }: Pick<WorkspaceView, 'members'>) {
  return (
    <section>
      <h2>Members</h2>
      {members.length === 0 ? (
        <p class="empty">No members. The workspace was created on the command line or is closed.</p>
      ) : (
        <Table
          rows={members.slice(0, MEMBERS)}
          columns={[
            { head: 'Name', kind: 'name', cell: ({ name }) => name },
            { head: 'E-mail address', cell: ({ email }) => email },
            { head: 'Role', kind: 'word', cell: ({ role }) => role },
          ]}
        />
      )}
      {members.length > MEMBERS ? <p class="hint">Only the first {MEMBERS} are listed, owners first.</p> : null}
    </section>
  );
}

function History(props: { slug: string; entries: readonly AuditEntry[]; names: ReadonlyMap<string, string> }) {
  const { slug, entries, names } = props;
  const { page, last } = pageOf(entries, HISTORY);
  return (
    <section>
      <h2>History</h2>
      <AuditTable entries={page} names={names} />
      {last === undefined ? null : (
        <p>
          <a href={`/admin/audit?workspace=${slug}&before=${last.seq}`}>Older entries</a>
        </p>
      )}
    </section>
  );
}

function PlanForm({ workspace: { slug, plan, limit }, fault }: { workspace: Workspace; fault: string | undefined }) {
  return (
    <section>
      <h2>Plan and limit</h2>
      <PostForm class="row" action={`/admin/workspaces/${slug}/plan`}>
        <Select
          label="Plan"
          name="plan"
          value={plan}
          options={PLANS.map((value: Plan) => ({ value, text: planName(value) }))}
        />
        <Select
          label="Monthly limit"
          name="limit-kind"
          value={limit.kind}
          options={[
            { value: 'plan', text: 'From the plan' },
            { value: 'fixed', text: 'Custom' },
            { value: 'none', text: 'No limit' },
          ]}
        />
        <Field
          label="Custom limit"
          name="limit"
          inputMode="numeric"
          isOptional
          maxLength={10}
          value={limit.kind === 'fixed' ? String(limit.limit) : ''}
          fault={fault}
        />
        <button class="first">Save</button>
      </PostForm>
    </section>
  );
}

function Suspension({ workspace: { slug, suspendedAtMs } }: { workspace: Workspace }) {
  const path = `/admin/workspaces/${slug}/suspend`;
  if (suspendedAtMs !== null) {
    return <PostButton action={path} label="Lift the suspension" sends={['suspended', 'no']} />;
  }
  return (
    <Confirm
      id="suspend"
      label="Suspend the workspace"
      act={`Suspend ${slug}`}
      says="All its keys are refused in every instance within two seconds, until you lift the suspension. Nothing is deleted."
      action={path}
      sends={['suspended', 'yes']}
    />
  );
}
