import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type RealService, startService } from './real-service.ts';

const PAGE = readFileSync(new URL('../../docs/automation.md', import.meta.url), 'utf8');
const VIN = '1HGCM82633A004352';

let service: RealService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await service.keyFor('automation', 100);
});

afterAll(() => service[Symbol.asyncDispose]());

/** Code of the page, with the address of the service that runs. */
function code(language: string): string {
  const [, text] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(PAGE) ?? [];
  if (text === undefined) throw new Error(`There is no ${language} on the page.`);
  return text.replaceAll('https://YOUR-SERVICE', service.url);
}

interface Workflow {
  nodes: { name: string; type: string; parameters: RequestNode }[];
  connections: Record<string, { main: { node: string }[][] }>;
}

/** The parameters of n8n's HTTP Request node. */
interface RequestNode {
  method: string;
  url: string;
  genericAuthType: string;
  headerParameters: { parameters: { name: string; value: string }[] };
  jsonBody: string;
}

/** Returns an expression of n8n, as far as the workflow uses them. */
function valueOf(expression: string): string {
  const [, body] = /^=\{\{ JSON\.stringify\(\{ vin: \$json\.vin \}\) \}\}$/.test(expression) ? ['', 'body'] : [];
  if (body !== undefined) return JSON.stringify({ vin: VIN });
  return expression
    .replace(/^=/, '')
    .replace('{{ $json.vin }}', VIN)
    .replace(/\{\{ \$now.*?\}\}/, '2026-12-01');
}

test("the workflow for n8n sends the service's answers, and a VIN is charged once a day", async () => {
  const { nodes, connections }: Workflow = JSON.parse(code('json'));
  const names = nodes.map(({ name }) => name);
  for (const [from, { main }] of Object.entries(connections)) {
    expect(names).toContain(from);
    for (const { node } of main.flat()) expect(names).toContain(node);
  }
  const node = nodes.find(({ type }) => type === 'n8n-nodes-base.httpRequest')?.parameters;
  if (node === undefined) throw new Error('There is no HTTP request.');
  expect(node.genericAuthType).toBe('httpHeaderAuth');
  const headers = node.headerParameters.parameters.map(({ name, value }) => [name, valueOf(value)]);
  const send = async () =>
    fetch(node.url, {
      method: node.method,
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...Object.fromEntries(headers) },
      body: valueOf(node.jsonBody),
    });
  const [first, again] = [await send(), await send()];
  expect(await first.json()).toMatchObject({ report: { model: 'Accord' }, usage: { remaining: 99 } });
  expect(await again.json()).toMatchObject({ report: { model: 'Accord' }, usage: { remaining: 99 } });
});

test('the shell script prints one line for each line of its file, even for one that is not a VIN', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marque-automation-'));
  try {
    writeFileSync(join(folder, 'vins.txt'), `${VIN}\nHELLO\nWVWZZZ1KZCW000001\n`);
    const env = { PATH: process.env['PATH'], MARQUE_KEY: key };
    const { stdout } = await promisify(execFile)('sh', ['-c', code('sh')], { cwd: folder, env });
    const models = stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { report }: { report?: { model: string } } = JSON.parse(line);
        return report?.model;
      });
    expect(models).toEqual(['Accord', undefined, 'Golf']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

interface Collection {
  info: { schema: string };
  variable: { key: string; value: string }[];
  item: { item: { name: string; request: CollectionRequest }[] }[];
}

interface CollectionRequest {
  method: string;
  url: string;
  header: { key: string; value: string; disabled?: boolean }[];
  body?: { mode: string; raw: string };
}

/** Refusals that remain: resources that the examples name and no one has made, and free lists that come all at once. */
const REFUSED_FOR_EXAMPLES = new Set([404, 409, 503]);

test('each request of the collection is one that the service understands', async () => {
  const collection: Collection = JSON.parse(await (await fetch(`${service.url}/docs/collection.json`)).text());
  expect(collection.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  const values = new Map([...collection.variable.map((one) => [one.key, one.value] as const), ['apiKey', key]]);
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? '');
  const requests = collection.item.flatMap(({ item }) => item);
  expect(requests.length).toBeGreaterThan(30);
  const answered = await Promise.all(
    requests.map(async ({ name, request: { method, url, header, body } }) => {
      const headers = header.filter(({ disabled }) => disabled !== true).map((one) => [one.key, filled(one.value)]);
      const init: RequestInit = { method, headers: Object.fromEntries(headers), ...(body && { body: body.raw }) };
      const { status } = await fetch(filled(url), init);
      return [name, status] as const;
    }),
  );
  const refused = answered.filter(([, status]) => status >= 400 && !REFUSED_FOR_EXAMPLES.has(status));
  expect(refused).toEqual([]);
});
