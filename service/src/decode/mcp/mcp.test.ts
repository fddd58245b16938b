import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { dataFolder } from '../../testing/data-folder.ts';
import { runMarque } from '../../testing/run-marque.ts';

/** A Golf VI, which was built with many engines: its VIN does not say which. */
const GOLF = 'WVWZZZ1KZCW000001';

const Answer = Type.Object({ open: Type.Array(Type.Object({ field: Type.String() })) });

const VIN = '1HGCM82633A004352';
const CLAIM = {
  vin: VIN,
  expectedManufacturer: 'Honda',
  expectedModel: 'Accord Coupe',
  expectedBodyStyle: 'Coupe',
  expectedModelYear: '2003',
  note: 'The registration says so.',
};

/** Makes the user one without a name, as in a container that runs under a number. */
const NAMELESS = `data:text/javascript,
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.userInfo = () => { throw new Error('uv_os_get_passwd returned ENOENT'); };
  syncBuiltinESMExports();`;

let dataDir: string;
let client: Client;

/** Starts the command, and connects an assistant to it. */
async function connect(...options: string[]): Promise<Client> {
  const assistant = new Client({ name: 'test', version: '1' });
  const launcher = fileURLToPath(new URL('../../../bin/marque.js', import.meta.url));
  const args = [...options, launcher, 'mcp'];
  await assistant.connect(new StdioClientTransport({ command: process.execPath, args, env: { DATA_DIR: dataDir } }));
  return assistant;
}

beforeAll(async () => {
  dataDir = dataFolder();
  client = await connect();
});

afterAll(async () => {
  await client.close();
  rmSync(dataDir, { recursive: true });
});

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  return client.callTool({ name, arguments: args });
}

test('an assistant finds the tools, and learns which of them only read', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['decode_vin', true],
    ['decode_vins', true],
    ['check_vin', true],
    ['list_candidates', true],
    ['explain_decode', true],
    ['report_wrong_decode', false],
  ]);
  expect(client.getServerVersion()?.name).toBe('marque');
});

test('an assistant is served by a user without a name, too', async () => {
  const other = await connect('--import', NAMELESS);
  expect((await other.listTools()).tools).not.toEqual([]);
  await other.close();
});

test('decode_vin answers at full depth', async () => {
  const { structuredContent } = await call('decode_vin', { vin: '1hg-cm826-33a004352' });
  expect(structuredContent).toMatchObject({ vin: VIN, manufacturer: 'Honda', specs: { fuelType: 'Gasoline' } });
});

test('a text that is not a VIN is a result with the reason, and check_vin suggests the likely VIN', async () => {
  expect(await call('decode_vin', { vin: '1HGCM82633AOO4352' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Did you mean the digit 0?') }],
  });
  const { structuredContent } = await call('check_vin', { vin: '1HGCM82633AOO4352' });
  expect(structuredContent).toMatchObject({ wellFormed: false, suggestions: [{ vin: VIN }] });
});

test('arguments that do not fit are refused with what to change', async () => {
  const texts = await Promise.all([
    call('decode_vin', {}),
    call('decode_vin', { vin: 7 }),
    call('decode_vins', { vins: [] }),
  ]);
  expect(texts.map(({ isError, content }) => [isError, content])).toEqual([
    [true, [{ type: 'text', text: 'vin must be given.' }]],
    [true, [{ type: 'text', text: 'vin must be text.' }]],
    [true, [{ type: 'text', text: expect.stringMatching(/^vins must not have fewer than 1 items/) }]],
  ]);
});

test('decode_vins answers for each, in order', async () => {
  const { structuredContent } = await call('decode_vins', { vins: [VIN, 'X'] });
  expect(structuredContent).toMatchObject({
    results: [
      { vin: VIN, status: 'decoded', report: { model: 'Accord' } },
      { vin: 'X', status: 'invalid' },
    ],
  });
});

test('list_candidates names the questions to ask, and an answer narrows the rest', async () => {
  const plain = Value.Parse(Answer, (await call('list_candidates', { vin: GOLF })).structuredContent);
  expect(plain.open.map(({ field }) => field)).toContain('specs.powerKw');
  const hinted = await call('list_candidates', { vin: GOLF, hints: { fuelType: 'diesel', powerKw: 77 } });
  expect(hinted.structuredContent).toMatchObject({ report: { specs: { fuelType: 'Diesel', powerKw: 77 } } });
  expect(Value.Parse(Answer, hinted.structuredContent).open.length).toBeLessThan(plain.open.length);
});

test.each([
  ['a hint without sense', { vin: GOLF, hints: { powerKw: 'many' } }, /powerKw takes a number/],
  ['a text that is too short', { vin: 'WVW' }, /17 characters/],
])('list_candidates refuses %s with what to change', async (_, args, says) => {
  const refused = await call('list_candidates', args);
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(says) }] });
});

test('of any number of faults in the arguments of a tool, the first are named', async () => {
  const hints = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}${'x'.repeat(20)}`, 'y']));
  const refused = [
    await call('list_candidates', { vin: GOLF, hints }),
    await call('decode_vins', { vins: Array(500).fill(7) }),
  ];
  for (const { isError, content } of refused)
    expect([isError, JSON.stringify(content).length < 600]).toEqual([true, true]);
  expect(JSON.stringify(refused)).toContain('is not a hint');
});

test('explain_decode names the evidence', async () => {
  const { structuredContent } = await call('explain_decode', { vin: VIN });
  expect(structuredContent).toMatchObject({
    report: { model: 'Accord' },
    fields: expect.arrayContaining([expect.objectContaining({ field: 'model', value: 'Accord' })]),
  });
});

test('report_wrong_decode puts a report into the queue that administrators see', async () => {
  expect(await call('report_wrong_decode', { ...CLAIM, note: '  ' })).toMatchObject({ isError: true });
  const { structuredContent } = await call('report_wrong_decode', CLAIM);
  expect(structuredContent).toMatchObject({ saved: true });
  const { status, out } = await runMarque('corrections list --json', { DATA_DIR: dataDir });
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject([{ claim: { expectedModel: 'Accord Coupe' } }]);
});
