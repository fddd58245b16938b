import { expect, test } from 'vitest';

import { ioWith } from '../../testing/io.ts';
import { runMarque } from '../../testing/run-marque.ts';
import { isColored, paintOf } from './paint.ts';

const VIN = '1HGCM82633A004352';
const ESCAPE = '\u001B';

test.each([
  ['auto', true, {}, true],
  ['auto', false, {}, false],
  ['auto', true, { NO_COLOR: '1' }, false],
  ['auto', true, { NO_COLOR: '' }, true],
  ['auto', true, { TERM: 'dumb' }, false],
  ['always', false, { NO_COLOR: '1' }, true],
  ['never', true, {}, false],
] as const)('%s, terminal %s, with %j: colored %s', (choice, isTTY, env, expected) => {
  const { stdout } = ioWith();
  stdout.isTTY = isTTY;
  expect(
    paintOf(isColored(choice, stdout, env))
      .fault('x')
      .includes(ESCAPE),
  ).toBe(expected);
});

test('color changes no word and no column, and formats for programs have none', async () => {
  for (const words of [`decode ${VIN}`, `decode ${VIN} nonsense`, `decode ${VIN} --explain`]) {
    const colored = await printed(`${words} --color always`);
    expect(colored).toContain(ESCAPE);
    // oxlint-disable-next-line no-control-regex -- Escapes are what is looked for.
    expect(colored.replaceAll(/\u001B\[\d+m/g, '')).toBe(await printed(words));
  }
  for (const format of ['json', 'jsonl', 'csv', 'vpic']) {
    expect(await printed(`decode ${VIN} nonsense --color always --format ${format}`)).not.toContain(ESCAPE);
  }
});

async function printed(line: string): Promise<string> {
  return (await runMarque(line)).out;
}
