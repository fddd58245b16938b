import { readFileSync, writeFileSync } from 'node:fs';

import openapiTS, { astToString } from 'openapi-typescript';

/** Where the generated types stand. */
export const GENERATED = new URL('src/generated/api.ts', import.meta.url);

/** The types of an OpenAPI description, as they are committed. */
export async function generate(description: string): Promise<string> {
  return `// Generated from the service's OpenAPI description by \`npm run generate --workspace client\`.\n${astToString(await openapiTS(description))}`;
}

/** `node generate.ts FILE|URL`: writes the types of a description. */
if (import.meta.main) {
  const source = process.argv[2] ?? 'http://127.0.0.1:8080/openapi.json';
  const text = source.startsWith('http') ? await (await fetch(source)).text() : readFileSync(source, 'utf8');
  writeFileSync(GENERATED, await generate(text));
}
