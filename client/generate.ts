import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** The file of the generated types. */
export const GENERATED = new URL('src/generated/api.ts', import.meta.url);

/** The paths that the client offers; the service has more addresses, for balancers, pages and other APIs' clients. */
const PATHS = new Set([
  '/api/decode',
  '/api/decode/batch',
  '/api/decode/candidates',
  '/api/vin/{vin}',
  '/api/report-decode-issue',
  '/api/reports',
  '/api/usage',
  '/api/jobs',
  '/api/jobs/{id}',
  '/api/jobs/{id}/resume',
  '/api/jobs/{id}/results',
]);

const HEADING = "// Generated from the service's OpenAPI description by `npm run generate --workspace client`.";

/** Returns the types of a service's OpenAPI description, as they are committed. */
export async function generate(description: string): Promise<string> {
  const whole: OpenAPI3 = JSON.parse(description);
  const paths = Object.fromEntries(Object.entries(whole.paths ?? {}).filter(([path]) => PATHS.has(path)));
  const schemas = whole.components?.schemas ?? {};
  const used = reachableFrom(paths, schemas);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
  // Webhooks come from the service: a client sends nothing to them.
  const part: OpenAPI3 = { ...whole, paths, webhooks: {}, components: { schemas: kept } };
  return `${HEADING}\n${astToString(await openapiTS(JSON.stringify(part)))}`;
}

/** Returns the names of the schemas that a value refers to, directly or through others. */
function reachableFrom(value: unknown, schemas: Readonly<Record<string, unknown>>): Set<string> {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      look(schemas[name] ?? null);
    }
  };
  look(value);
  return found;
}

/** `node generate.ts [FILE|URL]`: writes the types of a description, by default of the committed one. */
if (import.meta.main) {
  const source = process.argv[2] ?? fileURLToPath(new URL('../service/openapi.json', import.meta.url));
  const text = source.startsWith('http') ? await (await fetch(source)).text() : readFileSync(source, 'utf8');
  writeFileSync(GENERATED, await generate(text));
}
