import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { WebhookParts } from '../slice.ts';
import { existing } from '../../people/index.ts';
import {
  actingIn,
  activeOnly,
  actorOf,
  type PageRequest,
  type WorkspaceRoutes,
  workspaceRoutes,
  sendPortalPage,
} from '../../workspaces/pages/index.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, given, textField, wantsPart } from '../../kernel/ui/forms.ts';
import { pageOf } from '../../kernel/lists.ts';
import { sendPart } from '../../kernel/ui/html.tsx';
import { COUNTED_DELIVERIES, countDeliveries, latestDeliveries, sendAgain, sendTest } from '../deliveries.ts';
import {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  MOST_ENDPOINTS,
  removeEndpoint,
  rotateSecret,
} from '../endpoints.ts';
import { EVENT_TYPES, type EventType } from '../events.ts';
import { readUrl } from '../url.ts';
import { EndpointPage, type EndpointResult, isMoving, LatestDeliveries } from './webhook-endpoint.tsx';
import { EndpointForm, EndpointTable, type FormState, NewSecret } from './webhook-views.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

/** Deliveries on the page of an endpoint: each with its event. */
const PAGE = 25;

const TAKEN = 'Another webhook of this workspace has this URL. Change its events instead.';

/** Tests and resends that a workspace may send: enough to try something out, too few to flood a receiver. */
const BY_HAND = { burst: 20, refillMs: 6_000 };

/** Adds the pages of a workspace's webhooks. */
export function addWebhooks(scope: FastifyInstance, deps: WebhookParts & PageKit): void {
  const routes = workspaceRoutes(scope, deps);

  routes.get('/webhooks', (page) => {
    const { shown } = page.request.query;
    return sendEndpoints(deps, page, deps.flash.take<Result>(page.reply) ?? { shownBefore: shown });
  });

  routes.post('/webhooks', async (page) => {
    activeOnly(page.context);
    const form = readForm(deps, page.request);
    if (form.kind === 'faulty') return sendEndpoints(deps, page, { form: form.state });
    const wanted = { workspaceId: page.context.workspace.id, url: form.url, events: form.events };
    const made = await createEndpoint(actingIn(deps, page.context), wanted, actorOf(page.context));
    if (made.kind !== 'created') {
      const urlFault = made.kind === 'taken' ? TAKEN : `Remove one of the ${MOST_ENDPOINTS} webhooks first.`;
      return sendEndpoints(deps, page, { form: { ...form.state, urlFault } });
    }
    const { id } = made.endpoint;
    // Without its URL, which may be too long for a cookie.
    const shown: Result = { made: { id, host: new URL(form.url).host, secret: made.secret } };
    return deps.flash.redirect(page.reply, `${homeOf(page)}?shown=${id}`, shown);
  });

  routes.get('/webhooks/:id', async (page) => {
    const endpoint = await endpointOf(deps, page);
    if (!wantsPart(page.request)) {
      const shown = page.request.query['shown'] === undefined ? {} : { failed: SHOWN_BEFORE };
      return sendEndpoint(deps, page, endpoint, deps.flash.take<EndpointResult>(page.reply) ?? shown);
    }
    return sendPart(page.reply, <LatestDeliveries {...await viewOf(deps, page, endpoint)} />);
  });

  addActions(routes, deps);
}

/** Adds the actions on an endpoint. */
function addActions(routes: WorkspaceRoutes, deps: WebhookParts & PageKit): void {
  const limit = deps.rateLimit('webhooks by hand', BY_HAND);
  const act = (name: string, work: (page: PageRequest, endpoint: Endpoint) => Promise<EndpointResult>): void =>
    routes.post(`/webhooks/:id${name}`, async (page) => {
      const endpoint = await endpointOf(deps, page);
      const result = await work(page, endpoint);
      if (result.form !== undefined || result.failed !== undefined) return sendEndpoint(deps, page, endpoint, result);
      const shown = result.secret === undefined ? '' : '?shown=1';
      return deps.flash.redirect(page.reply, `${homeOf(page)}/${endpoint.id}${shown}`, result);
    });
  /** Sends something manually, within the rate limit. `work` returns the fault, if any. */
  const send = (name: string, work: (page: PageRequest, endpoint: Endpoint) => Promise<string | undefined>): void =>
    act(name, async (page, endpoint) => {
      const seconds = await limit.take(page.context.workspace.id, deps.clock());
      if (seconds > 0) return { failed: `Too many at once. Wait ${seconds} seconds, then try again.` };
      const failed = await work(page, endpoint);
      if (failed !== undefined) return { failed };
      deps.webhooks.wake();
      return {};
    });

  act('', async (page, endpoint) => {
    const form = readForm(deps, page.request);
    if (form.kind === 'faulty') return { form: form.state };
    const changed = await changeEndpoint(actingIn(deps, page.context), endpoint, form, actorOf(page.context));
    if (changed === 'taken') return { form: { ...form.state, urlFault: TAKEN } };
    return { done: 'Saved. The change applies from the next event.' };
  });
  act('/rotate', async (page, endpoint) => ({
    secret: await rotateSecret(actingIn(deps, page.context), endpoint, actorOf(page.context)),
  }));
  act('/enable', async (page, endpoint) => {
    await enableEndpoint(actingIn(deps, page.context), endpoint, actorOf(page.context));
    return {
      done: 'Enabled. New events are delivered from now on. To deliver one that it missed, use Send again below.',
    };
  });
  act('/disable', async (page, endpoint) => {
    await disableEndpoint(actingIn(deps, page.context), endpoint, actorOf(page.context));
    return { done: 'Disabled. Nothing more is delivered until it is enabled again.' };
  });
  routes.post('/webhooks/:id/remove', async (page) => {
    await removeEndpoint(actingIn(deps, page.context), await endpointOf(deps, page), actorOf(page.context));
    return page.reply.redirect(homeOf(page), 303);
  });
  send('/test', async (_page, endpoint) => {
    if (endpoint.disabled !== undefined) return 'Enable it first. Nothing is sent to it now.';
    await sendTest(deps, endpoint);
    return undefined;
  });
  send('/deliveries/:event/again', async (page, endpoint) => {
    const { event = '' } = page.request.params;
    return (await sendAgain(deps, endpoint, event))
      ? undefined
      : 'Only failed deliveries can be sent again, while the webhook is enabled.';
  });
}

/** Returns the endpoint of a request. @throws a 404 when it belongs to another workspace, or does not exist. */
async function endpointOf({ database }: WebhookParts & PageKit, { request, context }: PageRequest): Promise<Endpoint> {
  return existing(await findEndpoint(database, context.workspace.id, request.params['id'] ?? ''));
}

/** Returns the path of the workspace's webhooks. */
function homeOf({ context }: PageRequest): string {
  return `${context.home}/webhooks`;
}

type FormReading =
  | { kind: 'read'; url: string; events: EventType[]; state: FormState }
  | { kind: 'faulty'; state: FormState };

/** Reads the form of an endpoint. */
function readForm(deps: WebhookParts & PageKit, request: FastifyRequest): FormReading {
  const form = formOf(request);
  const text = textField(form, 'url', 2_001);
  const chosen = new Set(form.getAll('event'));
  const events = EVENT_TYPES.filter((type) => chosen.has(type));
  const reading = readUrl(text, deps.config.webhookAllowPrivate);
  const state: FormState = { url: text, events };
  if (reading.kind === 'faulty') state.urlFault = reading.fault;
  if (events.length === 0) state.eventsFault = 'Choose at least one event.';
  return reading.kind === 'faulty' || events.length === 0
    ? { kind: 'faulty', state }
    : { kind: 'read', url: reading.url.href, events, state };
}

interface Result {
  form?: FormState;
  made?: { id: string; host: string; secret: string };
  /** Id of a new webhook whose page is loaded again. */
  shownBefore?: string | undefined;
}

const SHOWN_BEFORE = 'The signing secret was shown once and cannot be shown again. If you did not save it, rotate it.';

async function sendEndpoints(deps: WebhookParts & PageKit, page: PageRequest, { form, made, shownBefore }: Result) {
  const home = homeOf(page);
  const endpoints = await listEndpoints(deps.database, page.context.workspace.id);
  const ids = endpoints.map(({ id }) => id);
  const counts = await countDeliveries(deps.database, ids);
  const isShownBefore = made === undefined && shownBefore !== undefined && ids.includes(shownBefore);
  return sendPortalPage(page, {
    tab: '/webhooks',
    title: 'Webhooks',
    status: formStatus(form),
    children: (
      <>
        <NoticeText tone="warn" text={isShownBefore ? SHOWN_BEFORE : undefined} />
        {made === undefined ? null : (
          <NewSecret secret={made.secret} title={`Your new webhook: ${made.host}`}>
            <p>
              <a href={`${home}/${made.id}`}>Send it a test event</a> once your receiver has the secret.
            </p>
          </NewSecret>
        )}
        <EndpointTable endpoints={endpoints} counts={counts} home={home} />
        {endpoints.length === 0 ? null : <p>The counts cover the last {COUNTED_DELIVERIES} events of each webhook.</p>}
        <section>
          <h2>New webhook</h2>
          <EndpointForm
            action={home}
            state={form ?? { url: '', events: EVENT_TYPES }}
            button="Create the webhook"
            isFirst={made === undefined}
          />
        </section>
      </>
    ),
  });
}

/** Reads a page of an endpoint's deliveries. */
async function viewOf(deps: WebhookParts & PageKit, page: PageRequest, endpoint: Endpoint) {
  const after = given(page.request.query['after'], 64);
  const found = await latestDeliveries(deps.database, endpoint.id, PAGE + 1, after);
  const { page: deliveries, last } = pageOf(found, PAGE);
  return { endpoint, deliveries, after, olderThan: last?.eventId, home: homeOf(page) };
}

async function sendEndpoint(
  deps: WebhookParts & PageKit,
  page: PageRequest,
  endpoint: Endpoint,
  result: EndpointResult,
) {
  const view = await viewOf(deps, page, endpoint);
  const isAnswer = page.request.method === 'POST';
  return sendPortalPage(page, {
    tab: '/webhooks',
    title: 'Webhook',
    status: isAnswer ? 422 : 200,
    // After a form, reloading would submit it again.
    ...(isMoving(view.deliveries) && !isAnswer && { refreshSeconds: 5 }),
    children: <EndpointPage {...view} result={result} nowMs={deps.clock()} />,
  });
}
