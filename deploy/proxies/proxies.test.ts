import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { LOGGED } from '../testing/logged.ts';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

test('nginx has files for twice its connections, and waits for a request as long as Marque does', () => {
  const conf = read('nginx.conf');
  const numberOf = (name: string): number => Number(new RegExp(`^\\s*${name} (\\d+)s?;$`, 'm').exec(conf)?.[1]);
  expect(numberOf('worker_rlimit_nofile')).toBeGreaterThanOrEqual(2 * numberOf('worker_connections'));
  for (const name of ['client_header_timeout', 'client_body_timeout']) expect(numberOf(name)).toBeLessThanOrEqual(10);
});

test('the log of nginx has no VIN, and no token of a mailed link', () => {
  const pattern = new RegExp(/"~(\^\(\?<parts>.*\))" \$parts;/.exec(read('nginx.conf'))?.[1] ?? 'none');
  for (const [address, left] of LOGGED) {
    // As nginx has it in `$uri`.
    const uri = address.replace(/^\w+:\/\/[^/]*/, '').split('?')[0] ?? '';
    expect(pattern.exec(uri)?.groups?.['parts']).toBe(left);
  }
});

test('Apache logs no requests, and no errors that name them', () => {
  const conf = read('apache.conf');
  expect(conf).toMatch(/^ {4}LogLevel crit$/m);
  expect(conf).toMatch(/^ {4}CustomLog \/dev\/null common$/m);
});

test('HAProxy takes so many connections of an address that one alone stops nobody, and waits for a reader as long as Marque', () => {
  const conf = read('haproxy.cfg');
  const numberOf = (pattern: RegExp): number => Number(pattern.exec(conf)?.[1]);
  expect(40 * numberOf(/sc0_conn_cur gt (\d+)/)).toBeLessThanOrEqual(numberOf(/maxconn (\d+)/));
  // Marque gives a reader of results a minute.
  expect(numberOf(/timeout client (\d+)s/)).toBe(70);
});

test('Caddy waits for one instance as it does for three', () => {
  const [one, three] = ['Caddyfile', '../compose/Caddyfile'].map((file) => /timeouts \{[^}]*\}/.exec(read(file))?.[0]);
  expect(one).toContain('read_header 10s');
  expect(one).toBe(three);
});
