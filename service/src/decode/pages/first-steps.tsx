import type { FastifyInstance, FastifyReply } from 'fastify';

import { CodeBlock, Copyable, Secret } from '../../kernel/ui/copyable.tsx';
import { Field, FormToken, Notice, NoticeText, PostButton } from '../../kernel/ui/fields.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import type { StoredDecode } from '../../metering/index.ts';
import { vehicleTitle } from '../../report/index.ts';
import type { NewApiKey } from '../../workspaces/index.ts';
import { type PageRequest, workspaceRoutes, FIRST_STEPS, sendPortalPage } from '../../workspaces/pages/index.ts';
import { depthOf, project } from '../depth.ts';
import { areDone, endFirstSteps, firstSteps } from '../first-steps.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** Any VIN would do: this one is decoded in every region's catalog. */
const EXAMPLE = '1HGCM82633A004352';

/**
 * Adds the page that leads a new workspace to its first answers; it goes when they are there, or when it is dismissed.
 */
export function addFirstSteps(scope: FastifyInstance, deps: PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get(FIRST_STEPS, (page) => sendSteps(deps, page));

  routes.post(`${FIRST_STEPS}/end`, async ({ reply, context }) => {
    await endFirstSteps(deps.database, context.workspace.id, deps.clock());
    return reply.redirect(context.home, 303);
  });
}

async function sendSteps(deps: PageKit, page: PageRequest): Promise<FastifyReply> {
  const { home, workspace } = page.context;
  const { made } = deps.flash.take<{ made: NewApiKey }>(page.reply) ?? {};
  const steps = await firstSteps(deps.database, workspace.id);
  const isOver = areDone(steps);
  if (isOver) await endFirstSteps(deps.database, workspace.id, deps.clock());
  // On several lines, so that none of it is out of view.
  const command = [
    `curl ${deps.baseUrl()}/api/decode`,
    `  -H 'x-api-key: ${made?.key ?? 'YOUR_KEY'}'`,
    `  -d '{"vin":"${EXAMPLE}"}'`,
  ].join(' \\\n');
  // The part that waits for the first call asks for this page again.
  page.reply.header('marque-part', 'yes');
  return sendPortalPage(page, {
    tab: FIRST_STEPS,
    title: 'First steps',
    children: (
      <>
        <NoticeText tone="good" text={isOver ? 'All steps are done. You will not see this page again.' : undefined} />
        <ol class="steps">
          <li>
            <Head text="Create a key" isDone={steps.hasKey} />
            <KeyStep home={home} hasKey={steps.hasKey} made={made} />
          </li>
          <li>
            <CallStep path={`${home}${FIRST_STEPS}`} home={home} call={steps.call} depth={depthOf(workspace.plan)} />
            <Copyable id="first-command">
              <CodeBlock label="Command" id="first-command" code={command} />
            </Copyable>
            <p class="hint">
              {made === undefined ? 'Put your key in place of YOUR_KEY. ' : ''}
              It charges one decode; with a test key, it charges none. <a href="/docs">Other languages</a>
            </p>
          </li>
          <li>
            <Head text="Send a file, or add a webhook" isDone={steps.hasFile || steps.hasWebhook} />
            <p>
              A file of VINs comes back with a column for each field. A webhook tells your system when a file is done or
              a limit is near.
            </p>
            <p class="acts">
              <a class="button" href={`${home}/files`}>
                Send a file
              </a>
              <a class="button" href={`${home}/webhooks`}>
                Add a webhook
              </a>
            </p>
          </li>
        </ol>
        {isOver ? null : <PostButton action={`${home}${FIRST_STEPS}/end`} label="Do not show these steps again" />}
      </>
    ),
  });
}

function Head({ text, isDone }: { text: string; isDone: boolean }) {
  return (
    <h2>
      {text} {isDone ? <span class="tag good">done</span> : null}
    </h2>
  );
}

function KeyStep({ home, hasKey, made }: { home: string; hasKey: boolean; made: NewApiKey | undefined }) {
  if (made !== undefined) {
    return (
      <Notice tone="good">
        <p>Your key is shown only once. Store it like a password.</p>
        <Secret id="new-key">{made.key}</Secret>
      </Notice>
    );
  }
  if (hasKey) {
    return (
      <p>
        A key is shown only once. If you did not save yours, rotate it under <a href={`${home}/keys`}>Keys</a>.
      </p>
    );
  }
  return (
    <PostForm class="row" action={`${home}/keys`}>
      <FormToken />
      <input type="hidden" name="then" value={FIRST_STEPS} />
      <Field label="Name of the key" name="name" value="First key" maxLength={80} hint="Where you will use it." />
      <button class="first">Create the key</button>
    </PostForm>
  );
}

interface CallProps {
  path: string;
  home: string;
  call: StoredDecode | undefined;
  depth: ReturnType<typeof depthOf>;
}

/** The first call: asked for every two seconds until it is there. */
function CallStep({ path, home, call, depth }: CallProps) {
  const again =
    call === undefined
      ? { 'hx-get': path, 'hx-trigger': 'every 2s', 'hx-select': '#first-call', 'hx-swap': 'outerHTML' }
      : {};
  return (
    <div id="first-call" {...again}>
      <Head text="Make your first call" isDone={call !== undefined} />
      {call === undefined ? (
        <p>
          Run this in a terminal. The answer appears here<noscript> when you load this page again</noscript>.
        </p>
      ) : (
        <Arrived home={home} call={call} depth={depth} />
      )}
    </div>
  );
}

function Arrived({ home, call, depth }: Omit<CallProps, 'path' | 'call'> & { call: StoredDecode }) {
  const report = project(depth, call.report);
  return (
    <div class="stack" role="status">
      <p>
        Your call arrived <Moment ms={call.createdAtMs} />:{' '}
        <a href={`${home}/decodes/${call.id}`}>{vehicleTitle(report)}</a>
      </p>
      <CodeBlock label="Answer" code={JSON.stringify({ report }, null, 2)} isJson />
    </div>
  );
}
