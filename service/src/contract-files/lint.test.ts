import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { createConfig, lint, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';

// The committed description equals the one that the service serves: files.test.ts compares them.
const FILE = fileURLToPath(new URL('../../openapi.json', import.meta.url));

test("the description passes redocly's recommended rules without an exception", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lint({ ref: FILE, config });
  expect(found.map(({ ruleId, message, location }) => [ruleId, location[0]?.pointer, message])).toEqual([]);
});

test("the description passes spectral's recommended rules without an exception", async () => {
  const found = await recommended().run(readFileSync(FILE, 'utf8'));
  expect(found.map(({ code, path, message }) => [code, path.join('/'), message])).toEqual([]);
});

test('both linters find the faults', async () => {
  const wrong = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: { '/a': { get: { responses: {} } } } };
  const config = await createConfig({ extends: ['recommended'] });
  expect(await lintFromString({ source: JSON.stringify(wrong), config })).not.toEqual([]);
  expect(await recommended().run(JSON.stringify(wrong))).not.toEqual([]);
});

function recommended(): spectral.Spectral {
  const linter = new spectral.Spectral();
  // Its packages disagree about the types of their own rules.
  const rules: object = oas;
  if (!isDefinition(rules)) throw new Error('These are not rules.');
  linter.setRuleset({ extends: [[rules, 'recommended']] });
  return linter;
}

function isDefinition(value: object): value is RulesetDefinition {
  return 'rules' in value;
}
