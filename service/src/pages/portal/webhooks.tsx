import type { FastifyInstance, FastifyRequest } from 'fastify';

import { notFound } from '../../features/accounts/guard.ts';
import { Notice } from '../../platform/ui/fields.tsx';
import { formOf, textField, wantsPart } from '../../platform/ui/forms.ts';
import { sendPart } from '../../platform/ui/html.tsx';
import { countDeliveries, latestDeliveries, sendAgain, sendTest } from '../../features/webhooks/deliveries.ts';
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
} from '../../features/webhooks/endpoints.ts';
import { EVENT_TYPES, type EventType } from '../../features/webhooks/events.ts';
import { readUrl } from '../../features/webhooks/url.ts';
import { type PortalDeps, type PageRequest, contextOf, type WorkspaceRoute } from './context.ts';
import { sendPortalPage } from './frame.tsx';
import { EndpointPage, type EndpointResult, LatestDeliveries } from './webhook-endpoint.tsx';
import { EndpointForm, EndpointTable, type FormState, NewSecret } from './webhook-views.tsx';

const HIDDEN = { schema: { hide: true } };

/** Deliveries on the page of an endpoint. */
const SHOWN = 50;

/** Tests and repeats that people of one workspace may send: enough to try something out, too few to flood anybody. */
const BY_HAND = { burst: 20, refillMs: 6_000 };

interface EndpointRoute {
  Params: { slug: string; id: string };
}

interface DeliveryRoute {
  Params: { slug: string; id: string; event: string };
}

interface ShownQuery {
  Querystring: { shown?: string };
}

/** Adds the pages of a workspace's webhooks. */
export function addWebhooks(scope: FastifyInstance, portalDeps: PortalDeps): void {
  const deps = { ...portalDeps, box: portalDeps.webhooks.box };

  scope.get<WorkspaceRoute & ShownQuery>('/portal/:slug/webhooks', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const { shown } = request.query;
    const result = deps.flash.take<Result>(request, reply) ?? (shown === undefined ? {} : { shownBefore: shown });
    return sendEndpoints(deps, { request, reply, context }, result);
  });

  scope.post<WorkspaceRoute>('/portal/:slug/webhooks', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const pageRequest = { request, reply, context };
    const form = readForm(deps, request);
    if (form.kind === 'faulty') return sendEndpoints(deps, pageRequest, { form: form.state });
    const wanted = { workspaceId: context.workspace.id, url: form.url, events: form.events };
    const made = await createEndpoint(deps, wanted, actorOf(pageRequest));
    if (made.kind === 'full') {
      const urlFault = `Remove one of the ${MOST_ENDPOINTS} webhooks first.`;
      return sendEndpoints(deps, pageRequest, { form: { ...form.state, urlFault } });
    }
    return deps.flash.redirect(reply, `/portal/${context.workspace.slug}/webhooks?shown=${made.endpoint.id}`, { made });
  });

  scope.get<EndpointRoute & ShownQuery>('/portal/:slug/webhooks/:id', HIDDEN, async (request, reply) => {
    const pageRequest = { request, reply, context: await contextOf(deps, request) };
    const endpoint = await endpointOf(deps, pageRequest, request.params.id);
    if (!wantsPart(request)) {
      const shown = request.query.shown === undefined ? {} : { failed: SHOWN_BEFORE };
      return sendEndpoint(deps, pageRequest, endpoint, deps.flash.take<EndpointResult>(request, reply) ?? shown);
    }
    const deliveries = await latestDeliveries(deps.database, endpoint.id, SHOWN);
    return sendPart(
      reply,
      <LatestDeliveries {...{ endpoint, deliveries, slug: pageRequest.context.workspace.slug }} />,
    );
  });

  addChanges(scope, deps);
  addSending(scope, deps);
}

type Deps = PortalDeps & Parameters<typeof rotateSecret>[0];

/** What changes an endpoint. */
function addChanges(scope: FastifyInstance, deps: Deps): void {
  const act = (
    name: string,
    work: (pageRequest: PageRequest, endpoint: Endpoint) => Promise<EndpointResult | 'removed'>,
  ): void => {
    scope.post<EndpointRoute>(`/portal/:slug/webhooks/:id${name}`, HIDDEN, async (request, reply) => {
      const pageRequest = { request, reply, context: await contextOf(deps, request) };
      const endpoint = await endpointOf(deps, pageRequest, request.params.id);
      const result = await work(pageRequest, endpoint);
      if (result === 'removed') return reply.redirect(`/portal/${pageRequest.context.workspace.slug}/webhooks`, 303);
      if (result.form !== undefined) return sendEndpoint(deps, pageRequest, endpoint, result);
      const shown = result.secret === undefined ? '' : '?shown=1';
      return deps.flash.redirect(reply, `${pageOf(pageRequest, endpoint)}${shown}`, result);
    });
  };

  act('', async (pageRequest, endpoint) => {
    const form = readForm(deps, pageRequest.request);
    if (form.kind === 'faulty') return { form: form.state };
    await changeEndpoint(deps, endpoint, form, actorOf(pageRequest));
    return { done: 'Saved. The change applies from the next event.' };
  });
  act('/rotate', async (pageRequest, endpoint) => ({
    secret: await rotateSecret(deps, endpoint, actorOf(pageRequest)),
  }));
  act('/enable', async (pageRequest, endpoint) => {
    await enableEndpoint(deps, endpoint, actorOf(pageRequest));
    return {
      done: 'Enabled. New events are delivered from now on. To deliver one that it missed, use Send again below.',
    };
  });
  act('/disable', async (pageRequest, endpoint) => {
    await disableEndpoint(deps, endpoint, actorOf(pageRequest));
    return { done: 'Disabled. Nothing more is delivered until it is enabled again.' };
  });
  act('/remove', async (pageRequest, endpoint) => {
    await removeEndpoint(deps, endpoint, actorOf(pageRequest));
    return 'removed';
  });
}

/** What sends something by hand. */
function addSending(scope: FastifyInstance, deps: Deps): void {
  const limit = deps.rateLimit('webhooks by hand', BY_HAND);
  const waitText = async ({ context }: PageRequest): Promise<string | undefined> => {
    const seconds = await limit.take(context.workspace.id, deps.clock());
    return seconds === 0 ? undefined : `Too many at once. Wait ${seconds} seconds, then try again.`;
  };

  scope.post<EndpointRoute>('/portal/:slug/webhooks/:id/test', HIDDEN, async (request, reply) => {
    const pageRequest = { request, reply, context: await contextOf(deps, request) };
    const endpoint = await endpointOf(deps, pageRequest, request.params.id);
    if (endpoint.disabled !== undefined) {
      return sendEndpoint(deps, pageRequest, endpoint, { failed: 'Enable it first. Nothing is sent to it now.' });
    }
    const failed = await waitText(pageRequest);
    if (failed !== undefined) return sendEndpoint(deps, pageRequest, endpoint, { failed });
    await sendTest(deps, endpoint);
    deps.webhooks.wake();
    return reply.redirect(pageOf(pageRequest, endpoint), 303);
  });

  scope.post<DeliveryRoute>('/portal/:slug/webhooks/:id/deliveries/:event/again', HIDDEN, async (request, reply) => {
    const pageRequest = { request, reply, context: await contextOf(deps, request) };
    const endpoint = await endpointOf(deps, pageRequest, request.params.id);
    const failed = await waitText(pageRequest);
    if (failed !== undefined) return sendEndpoint(deps, pageRequest, endpoint, { failed });
    if (!(await sendAgain(deps, endpoint, request.params.event))) {
      return sendEndpoint(deps, pageRequest, endpoint, {
        failed: 'Only failed deliveries can be sent again, while the webhook is enabled.',
      });
    }
    deps.webhooks.wake();
    return reply.redirect(pageOf(pageRequest, endpoint), 303);
  });
}

/** An endpoint of the workspace. @throws a 404 when it is another workspace's, or is not there. */
async function endpointOf(deps: PortalDeps, { context }: PageRequest, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(deps.database, context.workspace.id, id);
  if (endpoint === undefined) throw notFound();
  return endpoint;
}

/** The page of an endpoint. */
function pageOf({ context }: PageRequest, { id }: Endpoint): string {
  return `/portal/${context.workspace.slug}/webhooks/${id}`;
}

function actorOf({ context }: PageRequest): string {
  return `person:${context.person.email}`;
}

type FormReading =
  | { kind: 'read'; url: string; events: EventType[]; state: FormState }
  | { kind: 'faulty'; state: FormState };

/** What the form for an endpoint holds. */
function readForm(deps: PortalDeps, request: FastifyRequest): FormReading {
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
  made?: { endpoint: Endpoint; secret: string };
  /** Id of a new webhook whose page is loaded again. */
  shownBefore?: string;
}

const SHOWN_BEFORE = 'The signing secret was shown once and cannot be shown again. If you did not save it, rotate it.';

async function sendEndpoints(deps: PortalDeps, pageRequest: PageRequest, { form, made, shownBefore }: Result) {
  const { slug, id } = pageRequest.context.workspace;
  const endpoints = await listEndpoints(deps.database, id);
  const counts = await countDeliveries(
    deps.database,
    endpoints.map((endpoint) => endpoint.id),
  );
  const empty: FormState = { url: '', events: EVENT_TYPES };
  return sendPortalPage(pageRequest, {
    tab: '/webhooks',
    title: 'Webhooks',
    status: form === undefined ? 200 : 422,
    children: (
      <>
        {made !== undefined || !endpoints.some((endpoint) => endpoint.id === shownBefore) ? null : (
          <Notice tone="warn">
            <p>{SHOWN_BEFORE}</p>
          </Notice>
        )}
        {made === undefined ? null : (
          <NewSecret secret={made.secret} title={`Your new webhook: ${new URL(made.endpoint.url).host}`}>
            <p>
              <a href={`/portal/${slug}/webhooks/${made.endpoint.id}`}>Send it a test event</a> once your receiver has
              the secret.
            </p>
          </NewSecret>
        )}
        <EndpointTable endpoints={endpoints} counts={counts} slug={slug} />
        <section>
          <h2>New webhook</h2>
          <EndpointForm
            action={`/portal/${slug}/webhooks`}
            state={form ?? empty}
            button="Create the webhook"
            isFirst={made === undefined}
          />
        </section>
      </>
    ),
  });
}

async function sendEndpoint(deps: PortalDeps, pageRequest: PageRequest, endpoint: Endpoint, result: EndpointResult) {
  const { slug } = pageRequest.context.workspace;
  const deliveries = await latestDeliveries(deps.database, endpoint.id, SHOWN);
  const isMoving = deliveries.some(({ state, attempts }) => state === 'pending' && attempts === 0);
  return sendPortalPage(pageRequest, {
    tab: '/webhooks',
    title: 'Webhook',
    status: pageRequest.request.method === 'GET' ? 200 : 422,
    // After a form, loading again would send it again.
    ...(isMoving && pageRequest.request.method === 'GET' ? { refreshSeconds: 5 } : {}),
    children: <EndpointPage {...{ endpoint, deliveries, slug, result, nowMs: deps.clock() }} />,
  });
}
