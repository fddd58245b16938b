import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

test('nginx has files for twice its connections, and waits for a request as long as Marque does', () => {
  const conf = readFileSync(new URL('nginx.conf', import.meta.url), 'utf8');
  const numberOf = (name: string): number => Number(new RegExp(`^\\s*${name} (\\d+)s?;$`, 'm').exec(conf)?.[1]);
  expect(numberOf('worker_rlimit_nofile')).toBeGreaterThanOrEqual(2 * numberOf('worker_connections'));
  for (const name of ['client_header_timeout', 'client_body_timeout']) expect(numberOf(name)).toBeLessThanOrEqual(10);
});
