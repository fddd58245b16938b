import type { FastifyInstance, FastifyReply } from 'fastify';

import { DAY_MS } from '../../kernel/clock.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import {
  type ApiKey,
  createKey,
  findKey,
  KeyLimitError,
  KeyMadeBeforeError,
  type NewApiKey,
  revokeKey,
  rotateKey,
  systemRandom,
} from '../index.ts';
import { existing } from '../../people/index.ts';
import { CodeBlock, Copyable, Secret } from '../../kernel/ui/copyable.tsx';
import { Field, FormToken, Notice, NoticeText, Select, tokenOf } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, given, textField } from '../../kernel/ui/forms.ts';
import { KeyTable, placeIn, readKeys, RevokeKey } from './key-table.tsx';
import { actingIn, activeOnly, actorOf, type PageRequest, workspaceRoutes } from './context.ts';
import { FIRST_STEPS, sendPortalPage } from './frame.tsx';
import { Confirm } from '../../kernel/ui/confirm.tsx';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** Lifetimes that a key may be given, in days. */
const LIFETIMES = [
  { value: '', text: 'Never' },
  { value: '30', text: 'After 30 days' },
  { value: '90', text: 'After 90 days' },
  { value: '365', text: 'After a year' },
];

/** Adds the page of a workspace's keys. */
export function addKeys(scope: FastifyInstance, deps: PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  const keyDeps = { ...deps, random: systemRandom };
  routes.get('/keys', (page) => {
    const { shown } = page.request.query;
    return sendKeys(deps, page, deps.flash.take<Result>(page.reply) ?? { shownBefore: shown });
  });

  routes.post('/keys', async (page) => {
    activeOnly(page.context);
    const { workspace } = page.context;
    const form = formOf(page.request);
    const name = textField(form, 'name', 80);
    if (name === '') return sendKeys(deps, page, { fault: 'Say where the key will be used.' });
    const mode = form.has('test') ? 'test' : 'live';
    const days = LIFETIMES.find(({ value }) => value !== '' && value === form.get('expires'))?.value;
    const ends = days === undefined ? {} : { expiresAtMs: deps.clock() + Number(days) * DAY_MS };
    const wanted = { workspaceId: workspace.id, name, mode, id: tokenOf(form), ...ends } as const;
    const made = await createKey(actingIn(keyDeps, page.context), wanted, actorOf(page.context)).catch(refusal);
    if (made instanceof KeyMadeBeforeError) return sendKeys(deps, page, { failed: made.message });
    if (made instanceof KeyLimitError) return sendKeys(deps, page, { fault: made.message });
    return showKey(deps, page, { made }, form.get('then') === FIRST_STEPS ? FIRST_STEPS : '/keys');
  });

  routes.post('/keys/:id/rotate', async (page) => {
    activeOnly(page.context);
    const old = await keyOf(deps, page);
    const token = tokenOf(formOf(page.request));
    const made = await rotateKey(actingIn(keyDeps, page.context), old.id, actorOf(page.context), token).catch(refusal);
    if (made === undefined) return sendKeys(deps, page, { failed: 'This key is no longer active.' });
    if (made instanceof Error) return sendKeys(deps, page, { failed: made.message });
    return showKey(deps, page, { made, replaces: old });
  });

  routes.post('/keys/:id/revoke', async (page) => {
    const key = await keyOf(deps, page);
    await revokeKey(actingIn(keyDeps, page.context), key.id, actorOf(page.context));
    return deps.flash.redirect(page.reply, `${page.context.home}/keys`, { revoked: key });
  });
}

/** Returns a refusal as a value; its message says what to do. */
function refusal(error: unknown): KeyLimitError | KeyMadeBeforeError {
  if (error instanceof KeyLimitError || error instanceof KeyMadeBeforeError) return error;
  throw error;
}

/** Returns the key of a request. @throws a 404 when it is another workspace's, or is not there. */
async function keyOf({ database }: PageKit, { request, context }: PageRequest): Promise<ApiKey> {
  return existing(await findKey(database, context.workspace.id, request.params['id'] ?? ''));
}

/** Leads to the page that shows a new key, once. */
function showKey(
  { flash }: PageKit,
  { reply, context }: PageRequest,
  result: Result & { made: NewApiKey },
  path = '/keys',
) {
  return flash.redirect(reply, `${context.home}${path}?shown=${result.made.id}`, result);
}

interface Result {
  made?: NewApiKey;
  replaces?: ApiKey;
  revoked?: ApiKey;
  /** Id of a key whose page is loaded again. */
  shownBefore?: string | undefined;
  fault?: string;
  failed?: string;
}

async function sendKeys(deps: PageKit, page: PageRequest, result: Result): Promise<FastifyReply> {
  const { home, workspace } = page.context;
  const { made, replaces, revoked, shownBefore, fault, failed } = result;
  const after = placeIn(page.request.query);
  const shown = given(shownBefore, 36);
  const [list, lost] = await Promise.all([
    readKeys(deps.database, workspace.id, `${home}/keys`, after),
    shown === undefined ? undefined : findKey(deps.database, workspace.id, shown),
  ]);
  return sendPortalPage(page, {
    tab: '/keys',
    title: 'Keys',
    status: formStatus(fault, failed),
    children: (
      <>
        <NoticeText tone="bad" text={failed} />
        <ShownBefore apiKey={lost} />
        {revoked === undefined ? null : (
          <Notice tone="good">
            <p>
              The key <strong>{revoked.name}</strong> (<code class="whole">{`${revoked.prefix}…${revoked.last4}`}</code>
              ) is revoked. It stops working within two seconds.
            </p>
          </Notice>
        )}
        {made === undefined ? null : <NewKey made={made} replaces={replaces} baseUrl={deps.baseUrl()} />}
        <PostForm class="new-key" action={`${home}/keys`}>
          <FormToken />
          <Field
            label="Name of the key"
            name="name"
            maxLength={80}
            hint="Where you will use it, such as website or nightly import."
            fault={fault}
          />
          <label class="choice">
            <input type="checkbox" name="test" value="yes" />
            Test key: free, one request per second
          </label>
          <Select label="Expires" name="expires" options={LIFETIMES} />
          <button class={made === undefined ? 'first' : undefined}>Create the key</button>
        </PostForm>
        <KeyTable
          {...list}
          nowMs={deps.clock()}
          empty={after === undefined ? 'You have no keys yet. Create the first one above.' : 'No further keys.'}
          actions={(key) => <KeyActions apiKey={key} path={`${home}/keys/${key.id}`} />}
        />
      </>
    ),
  });
}

function ShownBefore({ apiKey }: { apiKey: ApiKey | undefined }) {
  if (apiKey === undefined) return null;
  return (
    <Notice tone="warn">
      <p>
        The key <strong>{apiKey.name}</strong> was shown once and cannot be shown again. If you did not save it, rotate
        it.
      </p>
    </Notice>
  );
}

function NewKey({ made, replaces, baseUrl }: { made: NewApiKey; replaces: ApiKey | undefined; baseUrl: string }) {
  const call = `curl ${baseUrl}/api/decode -H 'x-api-key: ${made.key}' -d '{"vin":"1HGCM82633A004352"}'`;
  return (
    <Notice tone="good">
      <h2>Your new key: {made.name}</h2>
      <p>
        It is shown only once.{' '}
        {made.mode === 'test'
          ? 'Its decodes are real and never charged. It can send one request per second.'
          : 'Store it like a password: anyone who has it can use up your decodes.'}
      </p>
      <Secret id="new-key">{made.key}</Secret>
      {replaces === undefined ? null : (
        <p>
          The old key (<code>{`${replaces.prefix}…${replaces.last4}`}</code>) keeps working until 24 hours after the
          first use of this one.
        </p>
      )}
      <details>
        <summary>Make your first call</summary>
        <Copyable id="new-key-call">
          <CodeBlock label="Command" id="new-key-call" code={call} />
        </Copyable>
      </details>
    </Notice>
  );
}

function KeyActions({ apiKey, path }: { apiKey: ApiKey; path: string }) {
  return (
    <>
      <Confirm
        id={`rotate-${apiKey.id}`}
        label="Rotate"
        act={`Rotate ${apiKey.name}`}
        says="A new key replaces it. The old one keeps working until 24 hours after the first use of the new one."
        action={`${path}/rotate`}
        isHarmless
        isSmall
      >
        <FormToken />
      </Confirm>
      <RevokeKey apiKey={apiKey} path={`${path}/revoke`} />
    </>
  );
}
