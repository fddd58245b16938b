import type { FastifyBodyParser, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Waits until the request has its turn, with a body of so many characters that is not read yet; undefined: it has
     * it. Bodies that end together would otherwise be read together.
     */
    awaitTurn?: (length: number, goOn: (error?: Error) => void) => void;
  }
}

/** Returns a parser of bodies that reads each in its request's turn. `read` may throw what refuses it. */
export function inTurn(read: (body: string, request: FastifyRequest) => unknown): FastifyBodyParser<string> {
  return (request, body, done) => {
    const goOn = (error: Error | null = null): void => {
      let value: unknown;
      try {
        if (error === null) value = read(body, request);
      } catch (thrown) {
        error = thrown instanceof Error ? thrown : new Error(String(thrown));
      }
      done(error, value);
    };
    if (request.awaitTurn === undefined) goOn();
    else request.awaitTurn(body.length, goOn);
  };
}
