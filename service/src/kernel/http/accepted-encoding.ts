import type { FastifyRequest } from 'fastify';

/** The compression of an answer. */
export type Encoding = 'br' | 'gzip';

/** Returns the compression that a client accepts; undefined: none. */
export function encodingFor({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | undefined {
  const accepted = headers['accept-encoding'] ?? '';
  const accepts = (encoding: Encoding): boolean =>
    accepted.split(',').some((each) => {
      const [name, weight = ''] = each.split(';');
      return name?.trim() === encoding && !/^\s*q=0(?:\.0*)?\s*$/.test(weight);
    });
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : undefined;
}
