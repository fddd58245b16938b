import type { FastifyInstance } from 'fastify';

import type { OpenApi } from '../pages/reference/openapi.ts';
import { collectionOf } from './collection.ts';

/** The files and what belongs into them, by name. The service is asked with no settings of its own. */
export async function contractFiles(app: FastifyInstance): Promise<ReadonlyMap<string, string>> {
  const description: OpenApi = JSON.parse((await app.inject('/openapi.json')).body);
  return new Map([
    ['openapi.json', text(description)],
    ['postman_collection.json', text(collectionOf(description))],
  ]);
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
