// Makes a clone ready to serve, with the packages that `npm ci --omit=dev` installs: turns what changed into
// JavaScript, then bundles the service while the catalog is compiled. The first time it prints a line for each step,
// and a bar on a terminal.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Each step with its share of the time on two free cores, in percent. */
const STEPS = {
  code: { share: 5, done: 'Compiled the code' },
  bundle: { share: 5, done: 'Bundled the service' },
  catalog: { share: 90, done: 'Compiled the catalog of vehicles' },
} as const;

type Step = keyof typeof STEPS;

const isFirst = ['service/bundle', 'catalog/build/marque.catalog'].some((path) => !existsSync(join(ROOT, path)));
const shares = new Map<Step, number>();
const BAR_WIDTH = 30;

/** The compiler makes so much that lives for a moment that collecting it often takes a fifth of its time. */
const YOUNG = '--max-semi-space-size=64';

await step('code', async () => runScript('scripts/transpile.ts'));
await Promise.all([
  step('bundle', async () => runScript('scripts/bundle.ts')),
  step('catalog', async () => {
    const compiler = fork('catalog/dist/src/cli.js', ['ensure-for-start'], { cwd: ROOT, execArgv: [YOUNG] });
    compiler.on('message', (share) => show('catalog', Number(share)));
    return ended(compiler);
  }),
]);

/** Runs a step, and reports its end; exits with its status if it fails. */
async function step(name: Step, run: () => Promise<number>): Promise<void> {
  const startedMs = performance.now();
  const status = await run();
  if (status !== 0) process.exit(status);
  if (!isFirst) return;
  clearBar();
  process.stdout.write(`${STEPS[name].done} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.\n`);
  show(name, 1);
}

/** Runs a script of the project. Returns its exit status. */
async function runScript(path: string): Promise<number> {
  return ended(spawn(process.execPath, [path], { cwd: ROOT, stdio: 'inherit' }));
}

/** Returns the exit status of a process. */
async function ended(child: ReturnType<typeof spawn>): Promise<number> {
  const [status]: unknown[] = await once(child, 'exit');
  return typeof status === 'number' ? status : 1;
}

/** Draws how much of all steps is done, on a terminal. */
function show(name: Step, share: number): void {
  shares.set(name, share);
  const percent = [...shares].reduce((sum, [known, of]) => sum + STEPS[known].share * of, 0);
  if (!isFirst || !process.stdout.isTTY || percent >= 100) return;
  const filled = Math.round((percent / 100) * BAR_WIDTH);
  process.stdout.write(`\r[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${Math.round(percent)} %`);
}

function clearBar(): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${' '.repeat(BAR_WIDTH + 8)}\r`);
}
