import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import LongestFirst from './scripts/longest-first.ts';

// Threads and programs that tests start load TypeScript: compiled once, not at each start.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

export default defineConfig({
  test: {
    include: [
      '{decoder,catalog,service,client,bench,deploy,scripts}/**/*.test.ts',
      '{decoder,catalog,service,client}/**/*.test.tsx',
    ],
    exclude: ['**/dist/**', '**/node_modules/**'],
    globalSetup: ['service/src/testing/global-setup.ts'],
    setupFiles: ['service/src/testing/fast-passwords.ts', 'service/src/testing/load-sources.ts'],
    // Node loads modules itself, in two thirds of the processor time of Vite's runner. So `vi.mock` does not work.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests wait for databases, browsers and processes, so two files more run at once than there are cores.
    maxWorkers: availableParallelism() + 2,
    // A worker makes much garbage at once. With more room from the start, and all of it collected by one thread and in
    // one step, it takes a quarter less of the processor.
    execArgv: [
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      '--single-threaded-gc',
      '--no-incremental-marking',
    ],
    // A third of a file's time went into loading the service anew.
    isolate: false,
    // A bound on what hangs, not a measure of speed: it must hold on a machine several times as slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // A worker that has run eighty files writes what it compiled before it ends.
    teardownTimeout: 60_000,
    reporters: ['default', './scripts/slowest-files.ts'],
    sequence: { sequencer: LongestFirst },
  },
});
