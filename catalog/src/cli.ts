import { buildCatalog, catalogFile, ensureCatalog } from './build.ts';

/** `node catalog/dist/src/cli.js ensure|build`: what npm's scripts call; people use `marque catalog`. */
const [command] = process.argv.slice(2);
const started = performance.now();
if (command === 'ensure') {
  if (ensureCatalog().built) report('built, since its inputs changed');
} else if (command === 'build') {
  buildCatalog();
  report('built');
} else {
  process.stderr.write('Usage: node catalog/dist/src/cli.js ensure|build\n');
  process.exitCode = 2;
}

function report(what: string): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`Catalog ${what} in ${seconds} s: ${catalogFile()}\n`);
}
