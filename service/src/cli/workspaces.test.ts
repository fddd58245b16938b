import { rmSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { type CommandResult, runMarque, runMarqueJson } from '../testing/run-marque.ts';
import { testService } from '../testing/service.ts';
import { findWorkspace } from '../workspaces/index.ts';
import { closeWorkspace } from '../workspaces/membership.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = dataFolder();
});

afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

const marque = (line: string, env: NodeJS.ProcessEnv = {}): Promise<CommandResult> =>
  runMarque(line, { DATA_DIR: dataDir, ...env });

const marqueJson = (line: string): Promise<Record<string, unknown>> => runMarqueJson(line, { DATA_DIR: dataDir });

describe('workspace', () => {
  test('create makes one with the limit of its plan, or its own, or none', async () => {
    expect(await marqueJson('workspace create acme --plan business')).toMatchObject({
      slug: 'acme',
      plan: 'business',
      monthlyLimit: 5000,
      limitFrom: 'plan',
    });
    expect(await marqueJson('workspace create own --plan free --monthly-limit 7')).toMatchObject({ monthlyLimit: 7 });
    expect(await marqueJson('workspace create free --plan free --monthly-limit none')).toMatchObject({
      monthlyLimit: null,
      limitFrom: 'workspace',
    });
    const { out } = await marque('workspace list');
    expect(out).toMatch(/^acme +business +5000 /m);
    expect(out).toMatch(/^free +free +none /m);
  });

  test('create refuses a taken or ill-formed name', async () => {
    await marque('workspace create acme --plan free');
    expect(await marque('workspace create acme --plan free')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/already/),
    });
    expect(await marque('workspace create Ac_me --plan free')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/lowercase letters/),
    });
  });

  test('set-plan changes the plan, and reports an unknown workspace', async () => {
    await marque('workspace create acme --plan free');
    expect(await marqueJson('workspace set-plan acme --plan starter')).toMatchObject({ monthlyLimit: 1000 });
    expect(await marqueJson('workspace set-plan acme --monthly-limit 250')).toMatchObject({
      plan: 'starter',
      monthlyLimit: 250,
    });
    expect(await marqueJson('workspace set-plan acme --plan business')).toMatchObject({
      plan: 'business',
      monthlyLimit: 250,
    });
    expect(await marqueJson('workspace set-plan acme --monthly-limit plan')).toMatchObject({ monthlyLimit: 5000 });
    expect(await marque('workspace set-plan acme')).toMatchObject({
      status: 2,
      err: expect.stringContaining('Give --plan, --monthly-limit'),
    });
    expect(await marque('workspace set-plan nobody --plan starter')).toMatchObject({
      status: 1,
      err: `There is no workspace nobody in ${dataDir}. See marque workspace list.\n`,
    });
  });
});

describe('key', () => {
  test('create prints the key once: to read, to capture, or as JSON', async () => {
    await marque('workspace create acme --plan free');
    const created = await marqueJson('key create --workspace acme --name first');
    expect(created).toMatchObject({ id: expect.any(String), key: expect.stringMatching(/^mq_live_\w{38}$/) });
    const captured = await marque('key create --workspace acme --name second');
    expect(captured.out).toMatch(/^mq_live_\w{38}\n$/);
    expect(captured.err).toContain('shown only once');
    const { out } = await marque('key list --workspace acme --json');
    expect(out).not.toContain(String(created['key']));
    expect(JSON.parse(out)).toMatchObject([{ name: 'first', state: 'active' }, { name: 'second' }]);
  });

  test('neither a key, a webhook nor a plan is given to a closed workspace', async () => {
    await marque('workspace create acme --plan free');
    {
      await using service = await testService({ DATA_DIR: dataDir });
      const workspace = await findWorkspace(service.database, 'acme');
      if (workspace === undefined) throw new Error('no workspace acme');
      await closeWorkspace({ database: service.database, clock: systemClock }, workspace, 'cli:tester');
    }
    for (const line of [
      'key create --workspace acme --name first',
      'webhook create https://example.com/hook --workspace acme',
      'workspace set-plan acme --plan business',
    ]) {
      const err = 'The workspace acme is closed permanently.\n';
      expect(await marque(line)).toEqual({ status: 1, out: '', err });
    }
    expect((await marque('workspace list')).out).toMatch(/^acme .* closed$/m);
    expect(await marqueJson('workspace list')).toMatchObject([{ slug: 'acme', suspended: true, closed: true }]);
  });

  test('revoke ends a key, and reports an unknown one', async () => {
    await marque('workspace create acme --plan free');
    const { id } = await marqueJson('key create --workspace acme --name first');
    expect(await marqueJson(`key revoke ${String(id)}`)).toEqual({ id, outcome: 'revoked' });
    expect(await marqueJson(`key revoke ${String(id)}`)).toEqual({ id, outcome: 'already-revoked' });
    expect((await marque('key list')).out).toContain('revoked');
    expect(await marque('key revoke nothing')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/There is no key nothing/),
    });
  });

  test('rotate gives a new key in place of another', async () => {
    await marque('workspace create acme --plan free');
    const old = await marqueJson('key create --workspace acme --name first');
    const next = await marqueJson(`key rotate ${String(old['id'])}`);
    expect(next).toMatchObject({ workspace: 'acme', name: 'first', key: expect.stringMatching(/^mq_live_/) });
    expect(next['key']).not.toBe(old['key']);
  });

  test('made beside a running service, opens it at once; revoked beside it, is refused at once', async () => {
    await using service = await testService({ DATA_DIR: dataDir });
    await marque('workspace create acme --plan business');
    const { id, key } = await marqueJson('key create --workspace acme --name first');
    const decode = () =>
      service.app.inject({
        method: 'POST',
        url: '/api/decode',
        headers: { 'x-api-key': String(key) },
        payload: { vin: '1HGCM82633A004352' },
      });
    expect((await decode()).json()).toMatchObject({ metadata: { plan: 'business' } });
    await marque('workspace set-plan acme --plan free');
    expect((await decode()).json()).toMatchObject({ metadata: { plan: 'free' } });
    await marque(`key revoke ${String(id)}`);
    expect((await decode()).statusCode).toBe(401);
  });
});
