import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A span as a collector gets it, its attributes by name. */
export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, string | number>;
  isError: boolean;
}

/** A collector of traces: a real HTTP server that reads OTLP in JSON. */
export interface Collector extends AsyncDisposable {
  url: string;
  spans: ReceivedSpan[];
  /** Everything that was sent, as it came. */
  received: string;
  /** Headers of the last delivery. */
  headers: IncomingMessage['headers'];
  requests: number;
  /** While it is true, nothing is answered. */
  hangs: boolean;
}

interface OtlpValue {
  stringValue?: string;
  intValue?: number;
  boolValue?: boolean;
}

interface OtlpSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes?: { key: string; value: OtlpValue }[];
  status?: { code?: number };
}

const ERROR = 2;

/** Starts a collector on a free port. Any other path than the one for traces is answered 500. */
export async function startCollector(): Promise<Collector> {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => void receive(request, response));
  const collector: Collector = {
    url: '',
    spans: [],
    received: '',
    headers: {},
    requests: 0,
    hangs: false,
    async [Symbol.asyncDispose]() {
      for (const response of held) response.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    if (request.url !== '/v1/traces') {
      response.writeHead(500).end();
      return;
    }
    collector.requests += 1;
    collector.received += body;
    collector.headers = request.headers;
    collector.spans.push(...spansIn(body));
    if (collector.hangs) held.push(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The collector has no port.');
  collector.url = `http://127.0.0.1:${address.port}`;
  return collector;
}

function spansIn(body: string): ReceivedSpan[] {
  const sent: { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] } = JSON.parse(body);
  return sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(spanOf)));
}

function spanOf({ name, kind, traceId, spanId, parentSpanId, attributes, status }: OtlpSpan): ReceivedSpan {
  return {
    name,
    kind,
    traceId,
    spanId,
    parentSpanId: parentSpanId ?? '',
    attributes: Object.fromEntries(
      (attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']),
    ),
    isError: status?.code === ERROR,
  };
}
