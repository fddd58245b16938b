import type { TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';

/** The outcome of one VIN, in one word for all interfaces. */
export type Fate = 'decoded' | 'invalid' | 'pending' | 'limit' | 'overloaded';

/** Usage as in a body. */
interface Usage {
  limit: number | null;
  remaining: number | null;
  resetAt: string;
}

/** The places of usage in an answer. */
export type Place = 'body' | 'headers';

/** A client's view of a request for some VINs. */
export interface Seen {
  fates: Fate[];
  /** Usage, in each place of the last answer that has it. */
  told: Partial<Record<Place, { limit: number | null; remaining: number | null; resetAtMs: number }>>;
  /** True if the answer is marked as a repetition. */
  isReplay: boolean;
}

/** Someone who sends VINs. */
export interface Client {
  service: Pick<TestService, 'app'>;
  key: string;
  idempotencyKey?: string | undefined;
}

/** Asks for VINs over one transport: in one request, or in one for each where it takes one. */
export type Transport = (client: Client, vins: readonly string[]) => Promise<Seen>;

interface Body {
  usage?: Usage;
  limit?: number | null;
  remaining?: number | null;
  resetAt?: string;
  results?: { status: string }[];
  Results?: { ErrorCode: string }[];
  result?: { isError?: boolean; content: { text: string }[]; structuredContent?: Body; _meta?: { usage: Usage } };
  id?: string;
  status?: string;
}

const FATES: Record<string, Fate> = {
  decoded: 'decoded',
  invalid: 'invalid',
  enrichment_pending: 'pending',
  limit_reached: 'limit',
};

const OF_STATUS: Record<number, Fate> = {
  200: 'decoded',
  202: 'pending',
  400: 'invalid',
  429: 'limit',
  503: 'overloaded',
};

async function send({ service, key, idempotencyKey }: Client, url: string, payload?: object | string, more = {}) {
  const once = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const headers = { 'x-api-key': key, ...once, ...more };
  const asked = payload === undefined ? { method: 'GET' as const } : { method: 'POST' as const, payload };
  const answer = await service.app.inject({ url, headers, ...asked });
  const text = answer.body;
  return { status: answer.statusCode, text, headers: answer.headers, body: (): Body => JSON.parse(text) };
}

type Answer = Awaited<ReturnType<typeof send>>;

/** Returns an answer's usage: within the body, or beside the error of a 429. */
function usageIn({ usage, limit, remaining, resetAt }: Body): Usage | undefined {
  if (usage !== undefined) return usage;
  return limit === undefined || remaining === undefined || resetAt === undefined
    ? undefined
    : { limit, remaining, resetAt };
}

/** Converts usage in a body to numbers. */
function toldBy(usage: Usage | undefined): Pick<Seen['told'], 'body'> {
  if (usage === undefined) return {};
  const { limit, remaining, resetAt } = usage;
  return { body: { limit, remaining, resetAtMs: Date.parse(resetAt) } };
}

function seenIn({ headers, body }: Answer, fates: Fate[]): Seen {
  const numberIn = (name: string): number | null => {
    const text = String(headers[`x-ratelimit-${name}`]);
    return text === 'unlimited' ? null : Number(text);
  };
  const usage = { limit: numberIn('limit'), remaining: numberIn('remaining') };
  const inHeaders = { headers: { ...usage, resetAtMs: Number(numberIn('reset')) * 1000 } };
  return {
    fates,
    told: { ...toldBy(usageIn(body())), ...(headers['x-ratelimit-limit'] === undefined ? {} : inHeaders) },
    isReplay: headers['idempotency-replayed'] === 'true',
  };
}

/** A transport that takes one VIN in a request. */
const oneByOne =
  (path: string): Transport =>
  async (client, vins) => {
    const all: Seen[] = [];
    for (const vin of vins) {
      const answer = await send(client, path, { vin });
      all.push(seenIn(answer, [OF_STATUS[answer.status] ?? fail(answer)]));
    }
    const last = all.findLast(({ told }) => told.body !== undefined) ?? all.at(-1);
    if (last === undefined) throw new Error('No VIN was sent.');
    return { ...last, fates: all.flatMap(({ fates }) => fates) };
  };

/** A transport that takes all VINs in a request: a request that is refused whole refuses each. */
const together =
  (ask: (client: Client, vins: readonly string[]) => Promise<Answer>, fatesIn: (body: Body) => Fate[]): Transport =>
  async (client, vins) => {
    const answer = await ask(client, vins);
    const whole = answer.status === 200 ? undefined : (OF_STATUS[answer.status] ?? fail(answer));
    return seenIn(answer, whole === undefined ? fatesIn(answer.body()) : vins.map(() => whole));
  };

function fail({ status, text }: Answer): never {
  throw new Error(`${status}: ${text}`);
}

const ofLine = ({ status }: { status: string }): Fate => FATES[status] ?? 'overloaded';

function ofNhtsaCode({ ErrorCode }: { ErrorCode: string }): Fate {
  if (ErrorCode === '429') return 'limit';
  return ErrorCode === '400' || ErrorCode === '6' ? 'invalid' : 'decoded';
}

/** A vPIC body has no usage: it has to stay as NHTSA's. */
const vpic = together(
  (client, vins) =>
    send(
      client,
      '/api/vehicles/DecodeVINValuesBatch',
      new URLSearchParams({ DATA: vins.join(';'), format: 'json' }).toString(),
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    ),
  ({ Results = [] }) => Results.map(ofNhtsaCode),
);

const mcp: Transport = async (client, vins) => {
  const params = { name: 'decode_vins', arguments: { vins } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await send(client, '/mcp', call, { accept: 'application/json, text/event-stream' });
  const { result } = answer.body();
  if (result === undefined) return fail(answer);
  const text = result.content.map((part) => part.text).join('');
  const refused: Fate = text.includes('monthly limit') ? 'limit' : 'overloaded';
  const fates = result.isError === true ? vins.map(() => refused) : result.structuredContent?.results?.map(ofLine);
  return { fates: fates ?? [], told: toldBy(result['_meta']?.usage), isReplay: false };
};

/** A job is answered before it is decoded: its usage is asked for afterwards. */
const files: Transport = async (client, vins) => {
  const sent = await send(client, '/api/jobs', { vins });
  const { id = '' } = sent.body();
  const asker = { ...client, idempotencyKey: undefined };
  await until(async () => /completed|stopped/.test((await send(asker, `/api/jobs/${id}`)).body().status ?? ''));
  const lines = (await send(asker, `/api/jobs/${id}/results`)).text.trim().split('\n');
  const results: { status: string }[] = lines.map((line) => JSON.parse(line));
  const isReplay = sent.headers['idempotency-replayed'] === 'true';
  return { ...seenIn(await send(asker, '/api/usage'), results.map(ofLine)), isReplay };
};

/** Every way to a metered decode. */
export const TRANSPORTS = {
  api: oneByOne('/api/decode'),
  batch: together(
    (client, vins) => send(client, '/api/decode/batch', { vins }),
    ({ results = [] }) => results.map(ofLine),
  ),
  candidates: oneByOne('/api/decode/candidates'),
  vpic,
  mcp,
  files,
} satisfies Record<string, Transport>;
