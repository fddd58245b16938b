import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** A source of metrics: a registry, or the sum of several processes' registries. */
export interface MetricsSource {
  readonly contentType: string;
  metrics: () => Promise<string>;
}

/** A running server of metrics. */
export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** Answers `GET /metrics`, and nothing else, on a separate port. Rejects if the port cannot be opened. */
export async function serveMetrics(source: MetricsSource, host: string, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    source.metrics().then(
      (text) => response.writeHead(200, { 'content-type': source.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen({ host, port });
  await once(server, 'listening');
  return { port: portOf(server, port), close: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  const gone = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await gone;
}

function portOf(server: Server, asked: number): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : asked;
}
