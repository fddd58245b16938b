import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const LAUNCHER = fileURLToPath(new URL('../../service/bin/marque.js', import.meta.url));

/** The real service in a process of its own, with a database of its own. */
export interface RealService extends AsyncDisposable {
  url: string;
  /** Makes a workspace with a limit and a key; gives the key. */
  keyFor(slug: string, monthlyLimit: number): Promise<string>;
}

/** Starts `marque serve` and waits until it is ready. */
export async function startService(settings: Readonly<Record<string, string>> = {}): Promise<RealService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-client-'));
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', ...settings };
  const child = spawn(process.execPath, [LAUNCHER, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  let printed = '';
  const hear = (piece: Buffer): void => {
    printed += String(piece);
    const url = /ready at (\S+)/.exec(printed)?.[1];
    if (url !== undefined) resolve(url);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  void ended.then(() => reject(new Error(printed)));
  const marque = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, ...words], { env });
    return stdout.trim();
  };
  return {
    url: await ready,
    async keyFor(slug, monthlyLimit) {
      await marque('workspace', 'create', slug, '--plan', 'business', '--monthly-limit', String(monthlyLimit));
      return marque('key', 'create', '--workspace', slug, '--name', 'test');
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
