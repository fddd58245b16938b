import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { AccountParts } from '../../people/pages/index.ts';
import { ALLOWANCES } from '../../kernel/limits/throttle.ts';
import { personOf, recheckOf } from '../../people/index.ts';
import { type Founded, foundWorkspace } from '../founding.ts';
import { isAllowedSlug, membershipsOf } from '../membership.ts';
import { FIRST_STEPS } from './frame.tsx';
import { pageOf } from '../../kernel/lists.ts';
import { formOf, formStatus, given, textField } from '../../kernel/ui/forms.ts';
import { sendNarrowPage } from '../../kernel/ui/html.tsx';
import { tooManyText } from '../../kernel/ui/times.tsx';
import { planName } from './plan-table.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Field, NoticeText } from '../../kernel/ui/fields.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** Workspaces on a page. */
const PAGE = 50;

/** Adds `/portal` itself, and the list of one's workspaces, where a further one is made. */
export function addWorkspaces(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  scope.get('/portal', async (request, reply) => {
    const [first] = await membershipsOf(deps.database, personOf(request).id, { limit: 1 });
    return reply.redirect(first === undefined ? '/portal/workspaces' : `/portal/${first.workspace.slug}`, 303);
  });

  scope.get<{ Querystring: { after?: string } }>('/portal/workspaces', ({ query }, reply) =>
    sendWorkspaces(deps, reply, {
      done: deps.flash.take<{ done: string }>(reply)?.done,
      after: given(query.after, 64),
    }),
  );

  scope.post('/portal/workspaces', async (request, reply) => {
    personOf(request);
    const slug = textField(formOf(request), 'slug', 64).toLowerCase();
    const fault = slugFault(slug) ?? (await found(deps, request, slug));
    if (fault !== undefined) return sendWorkspaces(deps, reply, { slug, fault });
    return reply.redirect(`/portal/${slug}${FIRST_STEPS}`, 303);
  });
}

/** Makes the workspace. @returns why not; undefined: it is made. */
async function found(deps: AccountParts & PageKit, request: FastifyRequest, slug: string): Promise<string | undefined> {
  const person = personOf(request);
  const wait = await deps.accounts.throttle.count(ALLOWANCES.workspaceNameByPerson, person.id);
  if (wait !== undefined) return tooManyText(wait);
  const founded = await foundWorkspace({ ...deps, recheck: recheckOf(deps.database, request) }, { slug, person });
  return founded.kind === 'created' ? undefined : foundingFault(founded);
}

async function sendWorkspaces(
  deps: AccountParts & PageKit,
  reply: FastifyReply,
  {
    done,
    slug = '',
    fault,
    after,
  }: { done?: string | undefined; slug?: string; fault?: string; after?: string | undefined },
): Promise<FastifyReply> {
  const found = await membershipsOf(deps.database, personOf(reply.request).id, { limit: PAGE + 1, after });
  const { page: memberships, last } = pageOf(found, PAGE);
  return sendNarrowPage(
    reply,
    { title: 'Workspaces', current: '/portal', status: formStatus(fault) },
    <>
      <NoticeText tone="good" text={done} />
      <Table
        rows={memberships}
        more={last && { href: `/portal/workspaces?after=${last.workspace.slug}`, text: 'Further workspaces' }}
        empty="You have no workspace yet. Create one below, or ask an owner of an existing one to invite you."
        columns={[
          {
            head: 'Workspace',
            kind: 'name',
            cell: ({ workspace: { slug, name } }) => (
              <>
                <a href={`/portal/${slug}`}>{name}</a> {name === slug ? null : <code>{slug}</code>}
              </>
            ),
          },
          { head: 'Plan', cell: ({ workspace }) => planName(workspace.plan) },
          { head: 'Your role', cell: ({ role }) => role },
        ]}
      />
      <PostForm class="stack" action="/portal/workspaces">
        <h2>{memberships.length === 0 ? 'Create your workspace' : 'Create another workspace'}</h2>
        <SlugField value={slug} fault={fault} />
        <button class={memberships.length === 0 ? 'first' : undefined}>Create the workspace</button>
      </PostForm>
    </>,
  );
}

const KEPT_BACK = 'This name is reserved. Choose another one.';

/**
 * Returns the fault of the form of a workspace's name; undefined: none. Only founding discloses that a name is taken.
 */
export function slugFault(slug: string): string | undefined {
  if (slug === '') return 'Choose a name for your workspace.';
  if (!/^[a-z0-9-]*$/.test(slug)) return 'Use only lowercase letters, digits, and hyphens.';
  if (slug.length < 3 || slug.length > 40) return 'Use 3 to 40 characters.';
  if (slug.startsWith('-') || slug.endsWith('-') || slug.includes('--'))
    return 'Use single hyphens, and only between words.';
  return isAllowedSlug(slug) ? undefined : KEPT_BACK;
}

const FOUNDING_FAULTS = {
  'bad-slug': KEPT_BACK,
  'slug-taken': 'This name is taken. Choose another one.',
  'too-many': 'You belong to ten workspaces, or have created ten this month. Leave one, or wait until next month.',
  'still-closing': 'The workspace that you closed is still being processed. Try again in a few seconds.',
};

/** Returns the reason why a workspace was not founded. */
export function foundingFault(refused: Exclude<Founded, { kind: 'created' }>): string {
  if (refused.kind !== 'has-free-one') return FOUNDING_FAULTS[refused.kind];
  return `You already have a workspace on the Free plan: ${refused.slug}. Upgrade or close it before you create another.`;
}

/** The field for a workspace's name. */
export function SlugField({ value, fault }: { value: string; fault?: string | undefined }) {
  return (
    <Field
      label="Workspace"
      name="slug"
      value={value}
      isMono
      maxLength={40}
      hint="A short name for your company or project, such as acme-motors. It appears in web addresses and cannot be changed; the name that members see can."
      fault={fault}
    />
  );
}
