import { expect, test } from 'vitest';

import { createLog, withoutSecrets } from './log.ts';

test('VINs are cut to their first 11 characters, in any case', () => {
  expect(withoutSecrets('decoded 1HGCM82633A004352 and wvwzzz1jz3w386752.')).toBe(
    'decoded 1HGCM82633A****** and wvwzzz1jz3w******.',
  );
});

test('keys and passwords are masked wherever they stand', () => {
  expect(withoutSecrets('Bearer mq_live_abcDEF123 to postgres://marque:hunter2@db/marque')).toBe(
    'Bearer mq_*** to postgres://marque:***@db/marque',
  );
});

test('an error that carries a VIN and a key in its message and stack is logged without them', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  log.error(new Error('insert failed: 1HGCM82633A004352, mq_live_abcDEF123'), 'could not store');
  expect(lines.join('')).toContain('insert failed: 1HGCM82633A******, mq_***');
  expect(lines.join('')).not.toMatch(/004352|abcDEF123/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', msg: 'could not store' });
});

test('identifiers, times and ordinary words are left as they are', () => {
  const line = '{"time":"2026-11-20T10:00:00.000Z","id":"0193f0a1-7c2e-7d3a-9b1c-2f4e6a8c0d12","route":"/api/decode"}';
  expect(withoutSecrets(line)).toBe(line);
});
