import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import { turnsDuring } from '../../testing/loop-turns.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;
let origin: string;
const clients: Client[] = [];

beforeEach(async () => {
  service = await testService({ PLAN_LIMIT_FREE: '2' });
  origin = await service.app.listen({ port: 0 });
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await service[Symbol.asyncDispose]();
});

async function connected(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }));
  clients.push(client);
  return client;
}

test('an assistant with a key finds the tools for data that clients may see, each with its output', async () => {
  const client = await connected(await service.keyFor('business'));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'decode_vin',
    'decode_vins',
    'check_vin',
    'list_candidates',
    'report_wrong_decode',
  ]);
  for (const { outputSchema } of tools) expect(outputSchema).toMatchObject({ type: 'object' });
});

test('each decode is charged to the workspace and as deep as its plan, and a check is free', async () => {
  const business = await connected(await service.keyFor('business'));
  const one = await business.callTool({ name: 'decode_vin', arguments: { vin: VIN } });
  expect(one).toMatchObject({
    structuredContent: { model: 'Accord', specs: { fuelType: 'Gasoline' } },
    _meta: { usage: { remaining: 4999 } },
  });
  const many = await business.callTool({ name: 'decode_vins', arguments: { vins: [VIN, 'X', VIN] } });
  expect(many.structuredContent).toMatchObject({ results: [{ report: {} }, { status: 'invalid' }, { report: {} }] });
  const check = await business.callTool({ name: 'check_vin', arguments: { vin: '1HGCM82633AOO4352' } });
  expect(check.structuredContent).toMatchObject({ wellFormed: false, suggestions: [{ vin: VIN }] });
  expect(await service.charged()).toBe(3);
  const free = await connected(await service.keyFor('free'));
  const basic = await free.callTool({ name: 'decode_vin', arguments: { vin: VIN } });
  expect(basic.structuredContent).not.toHaveProperty('specs');
});

test('candidates are charged once a day for a VIN, and come with the plans that see them', async () => {
  const business = await connected(await service.keyFor('business'));
  const ask = (hints: object) =>
    business.callTool({ name: 'list_candidates', arguments: { vin: 'WVWZZZ1KZCW000001', hints } });
  expect(await ask({})).toMatchObject({ structuredContent: { conflicts: [] }, _meta: { usage: { remaining: 4999 } } });
  expect(await ask({ fuelType: 'Diesel', powerKw: 77 })).toMatchObject({
    structuredContent: { report: { specs: { powerKw: 77 } } },
    _meta: { usage: { remaining: 4999 } },
  });
  expect(await service.charged()).toBe(1);
  const free = await connected(await service.keyFor('free'));
  expect((await free.listTools()).tools.map(({ name }) => name)).not.toContain('list_candidates');
});

test('a month that is used up is reported to the model, and not charged', async () => {
  const client = await connected(await service.keyFor('free'));
  await client.callTool({ name: 'decode_vins', arguments: { vins: [VIN, VIN, VIN] } });
  const refused = await client.callTool({ name: 'decode_vin', arguments: { vin: VIN } });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('monthly limit of 2') }] });
  expect(await service.charged()).toBe(2);
});

test('a report belongs to the workspace of the key', async () => {
  const client = await connected(await service.keyFor('business'));
  const claim = {
    vin: VIN,
    expectedManufacturer: 'Honda',
    expectedModel: 'Accord Coupe',
    expectedBodyStyle: 'Coupe',
    expectedModelYear: '2003',
    note: 'The registration says so.',
  };
  const { structuredContent } = await client.callTool({ name: 'report_wrong_decode', arguments: claim });
  expect(structuredContent).toMatchObject({ saved: true });
  const stored = await service.database.kysely.selectFrom('correction_reports').select(['source', 'subject']).execute();
  expect(stored).toEqual([{ source: 'subscriber', subject: expect.stringMatching(/^workspace:/) }]);
});

test('reports over MCP count with those over HTTP: 200 at once', async () => {
  const key = await service.keyFor('business');
  const claim = {
    vin: VIN,
    expectedManufacturer: 'Honda',
    expectedModel: 'Accord',
    expectedBodyStyle: 'Coupe',
    expectedModelYear: '2003',
    note: 'As the registration says.',
  };
  const headers = { 'x-api-key': key, accept: 'application/json, text/event-stream' };
  const params = { name: 'report_wrong_decode', arguments: claim };
  const payload = Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  const isRefused = async (): Promise<boolean> =>
    (await service.app.inject({ method: 'POST', url: '/mcp', headers, payload })).body.includes(
      'Too many reports in a',
    );
  for (let sent = 0; sent < 20; sent++) expect(await isRefused()).toBe(false);
  // A slow machine gets one more for each second that it took.
  await until(isRefused);
  const post = { method: 'POST', url: '/api/report-decode-issue', headers, payload: claim } as const;
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await service.app.inject(post)).statusCode),
  );
  expect(statuses).toContain(429);
});

test('without a key there is nothing, and no stream to wait on', async () => {
  for (const headers of [{}, { 'x-api-key': 'mq_live_unknown' }]) {
    const refused = await service.app.inject({ method: 'POST', url: '/mcp', headers, payload: {} });
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toEqual({ error: expect.any(String) });
  }
  expect((await service.app.inject({ method: 'GET', url: '/mcp' })).statusCode).toBe(405);
});

test('a batch has ten messages at most, and a larger one is refused with the remedy', async () => {
  const key = await service.keyFor('business');
  const send = (messages: readonly object[]) =>
    service.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
      payload: messages.map((message, id) => ({ jsonrpc: '2.0', id, ...message })),
    });
  const params = { name: 'list_candidates', arguments: { vin: 'WBS**************' } };
  const calls = (count: number) => Array.from({ length: count }, () => ({ method: 'tools/call', params }));
  const refused = await send(calls(11));
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error: expect.stringMatching(/at most 10 messages.*this one has 11.*decode_vins/) });
  expect(await service.charged()).toBe(0);
  expect((await send(calls(10))).json()).toHaveLength(10);
  expect(await service.charged()).toBe(1);
  const lists = await send([{ method: 'tools/list' }, { method: 'ping' }, { method: 'tools/list' }]);
  expect(lists.statusCode).toBe(400);
  expect(lists.json()).toMatchObject({
    error: { code: -32_600, message: expect.stringContaining('list of tools once') },
  });
  expect((await send([{ method: 'tools/list' }, { method: 'ping' }])).json()).toHaveLength(2);
});

test.each<[string, unknown, string]>([
  ['initialize', undefined, 'params must be an object.'],
  ['initialize', {}, 'params.protocolVersion must be text. params.capabilities must be an object. '],
  ['initialize', 'x', 'params must be an object.'],
  ['tools/list', { cursor: 5 }, 'params.cursor must be text.'],
  ['tools/call', { name: 1 }, 'params.name must be text.'],
  ['tools/call', { name: 'decode_vin', arguments: [VIN] }, 'params.arguments must be an object.'],
  ['tools/call', { name: 'decode_vin', arguments: { vin: VIN }, task: 1 }, 'params.task must be an object.'],
  ['tools/call', [], 'params must be an object.'],
])('%s with the parameters %j is refused as a fault of these', async (method, params, message) => {
  const payload = { jsonrpc: '2.0', id: 7, method, ...(params === undefined ? {} : { params }) };
  const headers = { 'x-api-key': await service.keyFor('business'), accept: 'application/json, text/event-stream' };
  const refused = await service.app.inject({ method: 'POST', url: '/mcp', headers, payload });
  expect(refused.json()).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32602, message: expect.stringContaining(message) },
  });
  expect(await service.charged()).toBe(0);
});

test.each([1, null, [1], {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: {}, method: 'ping' }])(
  '%j is refused as no message of the protocol',
  async (message) => {
    const key = { 'x-api-key': await service.keyFor('business'), 'content-type': 'application/json' };
    const headers = { ...key, accept: 'application/json, text/event-stream' };
    const refused = await service.app.inject({
      method: 'POST',
      url: '/mcp',
      headers,
      payload: JSON.stringify(message),
    });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('must be a JSON object') },
    });
  },
);

test('a batch that cancels its own calls gets all of its answers, and one with an id twice is refused uncharged', async () => {
  const key = await service.keyFor('free');
  const post = (payload: object[]) =>
    service.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
      payload,
    });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'decode_vin', arguments: { vin: VIN } } };
  const cancellation = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const answer = await post([call, cancellation]);
  expect(answer.json()).toMatchObject({ id: 1, result: { structuredContent: { model: 'Accord' } } });
  expect((await post([cancellation])).statusCode).toBe(202);
  const twice = await post([call, call]);
  expect(twice.statusCode).toBe(400);
  expect(twice.json()).toMatchObject({ error: { message: 'Each message of a batch must have an id of its own.' } });
  expect(await service.charged()).toBe(1);
});

test('the calls of a batch have the VINs of one call, and a turn of the event loop each', async () => {
  const key = await service.keyFor('free');
  const send = (calls: number, vinsEach: number) => {
    const params = { name: 'decode_vins', arguments: { vins: Array.from({ length: vinsEach }, () => 'no VIN') } };
    return service.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
      payload: Array.from({ length: calls }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })),
    });
  };
  const refused = await send(10, 11);
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toMatchObject({ error: { message: 'A batch has at most 100 VINs in all.' } });
  const turnsOf = async (calls: number): Promise<number> => {
    const { result, turns } = await turnsDuring(() => send(calls, 10));
    expect(result.statusCode).toBe(200);
    return turns;
  };
  const ofTwo = [await turnsOf(2), await turnsOf(2), await turnsOf(2), await turnsOf(2)];
  // Whatever else the process waits for only adds turns.
  expect((await turnsOf(10)) - Math.min(...ofTwo)).toBeGreaterThanOrEqual(8);
});

test('a fault of the service is told as over the API, and logged', async () => {
  const client = await connected(await service.keyFor('business'));
  const call = (name: string, args: object) => client.callTool({ name, arguments: { ...args } });
  await service.database.kysely.schema.alterTable('usage_counters').renameTo('elsewhere').execute();
  const [one, many] = [await call('decode_vin', { vin: VIN }), await call('decode_vins', { vins: [VIN] })];
  for (const answer of [one, many]) {
    const text = 'The service failed. This is our fault. Try again.';
    expect(answer).toEqual({ isError: true, content: [{ type: 'text', text }] });
  }
  expect(service.logged().match(/"msg":"request failed"/g)).toHaveLength(2);
  expect(service.logged()).toContain('usage_counters');
});

test('calls without lists of VINs wait for no batch, however many come at once', async () => {
  const key = await service.keyFor('enterprise');
  const headers = { 'x-api-key': key, accept: 'application/json, text/event-stream' };
  const call = (method: string, params: object) =>
    service.app.inject({ method: 'POST', url: '/mcp', headers, payload: { jsonrpc: '2.0', id: 1, method, params } });
  const answers = await Promise.all(
    Array.from({ length: 150 }, () => [
      call('tools/list', {}),
      call('tools/call', { name: 'decode_vin', arguments: { vin: VIN } }),
    ]).flat(),
  );
  expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
  expect(await service.charged()).toBe(150);
});

test('an unknown tool is named in a sentence, without the code of the error', async () => {
  const headers = { 'x-api-key': await service.keyFor('free'), accept: 'application/json, text/event-stream' };
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } };
  const answer = await service.app.inject({ method: 'POST', url: '/mcp', headers, payload });
  expect(answer.json()).toMatchObject({ error: { code: -32_602, message: 'There is no tool x.' } });
});
