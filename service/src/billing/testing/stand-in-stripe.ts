import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Plays Stripe's API as far as it is used: real requests, real answers, one subscription. */
export class StandInStripe {
  readonly #server: Server;
  readonly requests: { path: string; form: URLSearchParams; key: string | undefined }[] = [];
  subscription = { id: 'sub_1', status: 'active', price: 'price_starter', workspace: '' };
  /** True while it answers nothing. */
  isAway = false;
  /** The status and the text that a gateway before it answers instead of it. */
  gateway: { status: number; text: string } | undefined;
  /** A subscription or a customer that it does not know. */
  missing: string | undefined;
  /** Resolves when the pending answer may arrive; its content was fixed before. */
  delay: Promise<void> | undefined;
  /** Further ones, by id. */
  readonly others = new Map<string, { status: string; price: string; workspace?: string; customer?: string }>();
  /** Its events, the last one first. */
  events: { type: string; created: number; data: { object: object } }[] = [];
  /** Events in a page of their list. */
  pageOfEvents = 100;
  /** True while it says after each page that there is one more, and has the same in it. */
  isEndless = false;
  /** The status of its refusals; undefined: it refuses nothing. */
  refuses: number | undefined;
  /** The end of the path of the one request that it refuses. */
  refusedPath: string | undefined;

  constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response)).listen(0, '127.0.0.1');
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('No port.');
    return `http://127.0.0.1:${address.port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isAway) {
      response.destroy();
      return;
    }
    if (this.gateway !== undefined) {
      response.writeHead(this.gateway.status).end(this.gateway.text);
      return;
    }
    const path = request.url ?? '';
    const form = new URLSearchParams(await text(request));
    this.requests.push({ path, form, key: request.headers.authorization });
    if (request.method === 'DELETE') this.subscription.status = 'canceled';
    const refusal = this.refusedPath !== undefined && path.endsWith(this.refusedPath) ? 400 : this.refuses;
    if (refusal !== undefined) {
      response.writeHead(refusal, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: { type: 'invalid_request_error', message: 'Invalid API Key: sk_test_of' } }),
      );
      return;
    }
    const isOfMissing = form.get('customer') === this.missing;
    if (this.missing !== undefined && (isOfMissing || path.endsWith(this.missing))) {
      response.writeHead(isOfMissing ? 400 : 404, { 'content-type': 'application/json' });
      const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'x' };
      response.end(JSON.stringify({ error: { ...error, param: isOfMissing ? 'customer' : 'id' } }));
      return;
    }
    const answer = JSON.stringify(this.#answer(path));
    const { delay } = this;
    this.delay = undefined;
    await delay;
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  }

  #answer(path: string): object {
    const id = path.split('/').at(-1) ?? '';
    const { status, price, ...of } = this.others.get(id) ?? this.subscription;
    const { workspace = this.subscription.workspace, customer = 'cus_1' } = { customer: undefined, ...of };
    if (path === '/v1/checkout/sessions')
      return { object: 'checkout.session', url: 'https://checkout.stripe.com/c/pay' };
    if (path.startsWith('/v1/events?')) return this.#eventsOf(new URL(path, 'http://stripe').searchParams);
    if (path === '/v1/billing_portal/sessions') return { url: 'https://billing.stripe.com/p/session' };
    return {
      id,
      object: 'subscription',
      customer,
      status,
      metadata: { workspace },
      items: { data: [{ price: { id: 'price_of_an_add_on' } }, { price: { id: price } }] },
    };
  }

  #eventsOf(asked: URLSearchParams): object {
    const [from, to] = [Number(asked.get('created[gte]')), Number(asked.get('created[lte]') ?? Infinity)];
    const wanted = this.events
      .map((event, index) => ({ id: `evt_${index}`, ...event }))
      .filter(({ created }) => created >= from && created <= to);
    const start = this.isEndless ? 0 : wanted.findIndex(({ id }) => id === asked.get('starting_after')) + 1;
    const end = start + this.pageOfEvents;
    const hasMore = this.isEndless || wanted.length > end;
    return { object: 'list', data: wanted.slice(start, end), has_more: hasMore, url: '/v1/events' };
  }
}
