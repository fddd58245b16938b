#!/usr/bin/env node
// Starts the command line from a clone: on the runtime that the clone pins, and built first if necessary. In a
// published package the built files are there and nothing of this is needed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 24;

const service = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(service);
const program = join(service, 'bundle', 'cli.js');
const pinnedNode = join(root, 'node_modules', '.bin', 'node');

const isClone = existsSync(join(service, 'src', 'cli.ts'));
const isBuilt = existsSync(program) && (!isClone || existsSync(join(root, 'catalog', 'build', 'marque.catalog')));
if (!isBuilt) build();

const isOldNode = Number(process.versions.node.split('.')[0]) < OLDEST_NODE;
if (!isOldNode) await import(program);
else if (existsSync(pinnedNode)) runOn(pinnedNode);
else {
  process.stderr.write(`Marque needs Node ${OLDEST_NODE} or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}

function build() {
  process.stderr.write('Building Marque first. This happens once.\n');
  // The build's output is not an answer to the command: it goes where messages go.
  const { status } = spawnSync('npm', ['run', '--silent', 'prepare-start'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}

/** @param {string} node */
function runOn(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}
