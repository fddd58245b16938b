import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{decoder,catalog,service,client,bench,deploy}/**/*.test.ts',
      '{decoder,catalog,service,client}/**/*.test.tsx',
    ],
    exclude: ['**/dist/**', '**/node_modules/**'],
    globalSetup: ['service/src/testing/global-setup.ts'],
    // Real databases, browsers and child processes start inside tests; two cores run them.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
