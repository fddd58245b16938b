import { readFileSync } from 'node:fs';

import { fastify } from 'fastify';

/**
 * Runs a bare Fastify server: a route that reads a JSON body, if there is one, and answers with bytes made beforehand
 * (standard input). The yardstick of `service.ts` and `page-load.ts`; it writes its address to standard output.
 */
const body = readFileSync(0, 'utf8');
const app = fastify();
app.route({
  method: ['GET', 'POST'],
  url: '/api/decode',
  handler: (_request, reply) => reply.type('application/json; charset=utf-8').send(body),
});
process.stdout.write(await app.listen({ host: '127.0.0.1', port: 0 }));
