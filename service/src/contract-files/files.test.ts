import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { effectiveSettings } from '../kernel/config/config.ts';
import { testService } from '../testing/service.ts';
import { generatedFiles } from './files.ts';

const committed = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
/** Returns text without the formatter's additions: blanks that align tables, and line breaks. */
const bare = (text: string): string => text.replaceAll(/\s+|-{3,}/g, '');

test("the committed files equal the code's output; npm run openapi writes them", async () => {
  await using service = await testService();
  for (const [path, content] of await generatedFiles(service.app)) {
    expect({ path, content: bare(committed(path)) }).toEqual({ path, content: bare(content) });
  }
});

test('the page of settings names each setting once, in order', () => {
  const named = [...committed('docs/settings.md').matchAll(/^\| `([A-Z][A-Z_]+)`/gm)].map(([, name]) => name);
  expect(named).toEqual(effectiveSettings({}).map(({ name }) => name));
});
