import type { FastifyInstance, FastifyRequest } from 'fastify';

import {
  type ApiKey,
  createKey,
  KeyLimitError,
  KeyMadeBeforeError,
  type KeyMode,
  listKeys,
  type NewApiKey,
  revokeKey,
  rotateKey,
  systemRandom,
} from '../../features/access/index.ts';
import { notFound } from '../../features/accounts/guard.ts';
import { Field, Notice } from '../../platform/ui/fields.tsx';
import { FormToken, tokenOf } from '../../platform/ui/form-token.tsx';
import { formOf, textField } from '../../platform/ui/forms.ts';
import { KeyTable, RevokeKey } from '../shared/key-table.tsx';
import {
  actorOf,
  type PortalDeps,
  type WorkspaceContext,
  type PageRequest,
  contextOf,
  type WorkspaceRoute,
} from './context.ts';
import { sendPortalPage } from './frame.tsx';
import { Confirm } from '../../platform/ui/confirm.tsx';

const HIDDEN = { schema: { hide: true } };

interface KeyRoute {
  Params: { slug: string; id: string };
}

interface KeysQuery {
  Querystring: { shown?: string };
}

/** Adds the page of a workspace's keys. */
export function addKeys(scope: FastifyInstance, deps: PortalDeps): void {
  const keyDeps = { ...deps, random: systemRandom };

  scope.get<WorkspaceRoute & KeysQuery>('/portal/:slug/keys', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const { shown } = request.query;
    const result = deps.flash.take<Result>(request, reply) ?? (shown === undefined ? {} : { shownBefore: shown });
    return sendKeys(deps, { request, reply, context }, result);
  });

  scope.post<WorkspaceRoute>('/portal/:slug/keys', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const pageRequest = { request, reply, context };
    const form = formOf(request);
    const name = textField(form, 'name', 80);
    if (name === '') return sendKeys(deps, pageRequest, { fault: 'Say where the key will be used.' });
    const made = await unlessRefused(
      createKey(
        keyDeps,
        { workspaceId: context.workspace.id, name, mode: modeIn(form), id: tokenOf(form) },
        actorOf(context),
      ),
    );
    if (made instanceof KeyMadeBeforeError) return sendKeys(deps, pageRequest, { failed: made.message });
    if (made instanceof KeyLimitError) return sendKeys(deps, pageRequest, { fault: made.message });
    return showKey(deps, pageRequest, { made });
  });

  scope.post<KeyRoute>('/portal/:slug/keys/:id/rotate', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const old = await keyOf(deps, context, request);
    const made = await unlessRefused(rotateKey(keyDeps, old.id, actorOf(context), tokenOf(formOf(request))));
    if (made instanceof Error) return sendKeys(deps, { request, reply, context }, { failed: made.message });
    if (made === undefined)
      return sendKeys(deps, { request, reply, context }, { failed: 'This key is no longer active.' });
    return showKey(deps, { request, reply, context }, { made, replaces: old });
  });

  scope.post<KeyRoute>('/portal/:slug/keys/:id/revoke', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const key = await keyOf(deps, context, request);
    await revokeKey(keyDeps, key.id, actorOf(context));
    return deps.flash.redirect(reply, `/portal/${context.workspace.slug}/keys`, { revoked: key });
  });
}

/** A test key where the box is ticked. */
function modeIn(form: URLSearchParams): KeyMode {
  return form.has('test') ? 'test' : 'live';
}

async function unlessRefused<T>(making: Promise<T>): Promise<T | KeyLimitError | KeyMadeBeforeError> {
  try {
    return await making;
  } catch (error) {
    if (error instanceof KeyLimitError || error instanceof KeyMadeBeforeError) return error;
    throw error;
  }
}

/** The key of a request. @throws a 404 when it is another workspace's, or is not there. */
async function keyOf(
  deps: PortalDeps,
  { workspace }: WorkspaceContext,
  request: FastifyRequest<KeyRoute>,
): Promise<ApiKey> {
  const key = (await listKeys(deps.database, workspace.id)).find(({ id }) => id === request.params.id);
  if (key === undefined) throw notFound();
  return key;
}

/** Leads to the page that shows a new key, once. */
function showKey({ flash }: PortalDeps, { reply, context }: PageRequest, result: Result & { made: NewApiKey }) {
  return flash.redirect(reply, `/portal/${context.workspace.slug}/keys?shown=${result.made.id}`, result);
}

interface Result {
  made?: NewApiKey;
  replaces?: ApiKey;
  revoked?: ApiKey;
  /** Id of a key whose page is loaded again. */
  shownBefore?: string;
  fault?: string;
  failed?: string;
}

async function sendKeys(deps: PortalDeps, pageRequest: PageRequest, result: Result) {
  const { slug, id } = pageRequest.context.workspace;
  const keys = (await listKeys(deps.database, id)).toReversed();
  return sendPortalPage(pageRequest, {
    tab: '/keys',
    title: 'Keys',
    status: result.fault === undefined && result.failed === undefined ? 200 : 422,
    children: (
      <>
        {result.failed === undefined ? null : (
          <Notice tone="bad">
            <p>{result.failed}</p>
          </Notice>
        )}
        <ShownBefore apiKey={keys.find((key) => key.id === result.shownBefore)} />
        {result.revoked === undefined ? null : (
          <Notice tone="good">
            <p>
              The key <strong>{result.revoked.name}</strong> is revoked. It stops working within two seconds.
            </p>
          </Notice>
        )}
        {result.made === undefined ? null : (
          <NewKey made={result.made} replaces={result.replaces} baseUrl={deps.baseUrl()} />
        )}
        <form class="new-key" method="post" action={`/portal/${slug}/keys`}>
          <FormToken />
          <Field
            label="New key"
            name="name"
            maxLength={80}
            hint="Where you will use it, such as website or nightly import."
            fault={result.fault}
          />
          <label class="choice">
            <input type="checkbox" name="test" value="yes" />
            Test key: never charged, one request per second
          </label>
          <button class={result.made === undefined ? 'first' : undefined}>Create the key</button>
        </form>
        <KeyTable
          keys={keys}
          nowMs={deps.clock()}
          empty="You have no keys yet. Create the first one above."
          actions={(key) => <KeyActions apiKey={key} path={`/portal/${slug}/keys/${key.id}`} />}
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
  return (
    <Notice tone="good">
      <h2>Your new key: {made.name}</h2>
      <p>
        It is shown only once.{' '}
        {made.mode === 'test'
          ? 'Its decodes are real and never charged. It can send one request per second.'
          : 'Store it like a password: anyone who has it can use up your decodes.'}
      </p>
      <div class="copyable">
        <p class="key" id="new-key">
          {made.key}
        </p>
        <button type="button" class="first" data-copy="new-key" hidden>
          Copy
        </button>
      </div>
      {replaces === undefined ? null : (
        <p>
          The old key (<code>{`${replaces.prefix}…${replaces.last4}`}</code>) keeps working until 24 hours after the
          first use of this one.
        </p>
      )}
      <details>
        <summary>Make your first call</summary>
        <div class="copyable">
          <pre tabindex={0} role="region" aria-label="Command">
            <code id="new-key-call">{`curl ${baseUrl}/api/decode -H 'x-api-key: ${made.key}' -d '{"vin":"1HGCM82633A004352"}'`}</code>
          </pre>
          <button type="button" data-copy="new-key-call" hidden>
            Copy
          </button>
        </div>
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
