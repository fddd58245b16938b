import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';

import { Environment } from '../kernel/config/environment.ts';

/** Returns the files that are written from the code, with their content, by path in the clone. */
export async function generatedFiles(app: FastifyInstance): Promise<ReadonlyMap<string, string>> {
  const description: unknown = JSON.parse((await app.inject('/openapi.json')).body);
  return new Map([
    ['service/openapi.json', `${JSON.stringify(description, null, 2)}\n`],
    ['docs/settings.md', settingsPage()],
  ]);
}

/** Returns every setting with its default, as a table. */
function settingsPage(): string {
  const rows = Object.entries<TSchema & { default?: string | number; description?: string }>(
    Environment.properties,
  ).map(
    ([name, { default: preset, description = '' }]) =>
      `| \`${name}\` | ${preset === undefined ? 'unset' : `\`${preset}\``} | ${description.replaceAll('|', '\\|')} |`,
  );
  return `# Settings

Written by \`npm run openapi\`; do not edit. Settings are environment variables. A wrong value stops the start with one
message that lists every fault; \`marque config\` prints the effective values, secrets masked.

| Variable | Default | What it is |
| --- | --- | --- |
${rows.join('\n')}
`;
}
