import { once } from 'node:events';
import { createServer } from 'node:http';

/** A party outside that knows every vehicle as one and the same, in vPIC's format. */
export interface Vpic extends AsyncDisposable {
  url: string;
  /** VINs that the service's catalog does not know. */
  vins: readonly [string, string];
}

/** Starts it. */
export async function startVpic(values: Readonly<Record<string, string>>): Promise<Vpic> {
  const server = createServer((request, response) => {
    const vin = /[A-HJ-NPR-Z0-9]{17}/.exec(request.url ?? '')?.[0] ?? '';
    const result = { VIN: vin, ErrorCode: '0', ErrorText: '', ...values };
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ Count: 1, Message: '', SearchCriteria: `VIN:${vin}`, Results: [result] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/api`,
    // 3ZZ is not assigned.
    vins: ['3ZZADP4E1EM000001', '3ZZADP4E3EM000002'],
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
