import { existsSync } from 'node:fs';

import { catalogState, isPacked } from './inputs.ts';
import { catalogFile } from './root.ts';

/** Problems listed at once: a person mends these and runs again. */
const SHOWN_LINES = 20;

const LACKS_IMPORT = 'It lacks the imported vPIC data now: run marque catalog build to bring it back.\n';

/**
 * `node catalog/dist/src/cli.js ensure|ensure-for-start|build|compile FILE`: what npm's scripts call; people use
 * `marque catalog`.
 */
const [command, file] = process.argv.slice(2);
const started = performance.now();
try {
  await run();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  if (command === 'ensure') {
    // Each start of a clone asks this, and nearly always nothing changed: the compiler is loaded only when it did.
    const { isCurrent } = catalogState();
    if (isCurrent && isPacked()) return;
    // The npm script announces the first build itself.
    if (!isCurrent && existsSync(catalogFile()))
      process.stdout.write('The facts changed: compiling the catalog anew; this takes a while.\n');
    const { built, replacedImport } = (await import('./build.ts')).ensureCatalog();
    if (built) report();
    if (replacedImport) process.stdout.write(LACKS_IMPORT);
    (await import('./pack.ts')).packCatalog();
  } else if (command === 'ensure-for-start') {
    // A service that starts needs the catalog alone, not the other contents of packages.
    if (catalogState().isCurrent) return;
    if (existsSync(catalogFile())) process.stdout.write('The facts changed: compiling the catalog anew.\n');
    const { replacedImport } = await (
      await import('./build.ts')
    ).ensureCatalogOnThreads((share) => process.send?.(share));
    if (replacedImport) process.stdout.write(LACKS_IMPORT);
  } else if (command === 'build') {
    (await import('./build.ts')).buildCatalog();
    report();
  } else if (command === 'compile' && file !== undefined) {
    (await import('./build.ts')).compileTo(file, 'compared');
  } else {
    process.stderr.write('Usage: node catalog/dist/src/cli.js ensure|ensure-for-start|build|compile FILE\n');
    process.exitCode = 2;
  }
}

function report(): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`Built the catalog in ${seconds} s: ${catalogFile()}\n`);
}

function messageOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  const more = lines.length > SHOWN_LINES ? [`… and ${lines.length - SHOWN_LINES} more.`] : [];
  return ['The catalog could not be built.', ...lines.slice(0, SHOWN_LINES), ...more].join('\n');
}
