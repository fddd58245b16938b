import type { FastifyInstance } from 'fastify';

/** `/`: says what this is and what to try, for a person who opens the address. */
export function addFront(app: FastifyInstance, baseUrl: () => string): void {
  app.get('/', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(
      `Marque decodes vehicle identification numbers.

Try it:
  curl -X POST ${baseUrl()}/api/decode -d '{"vin":"1HGCM82633A004352"}'

Check a VIN, free:   ${baseUrl()}/api/vin/1HGCM82633A004352
API description:     ${baseUrl()}/openapi.json
`,
    ),
  );
}
