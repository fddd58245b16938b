import { readFileSync } from 'node:fs';

import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';

import { HOUR_MS } from '../kernel/clock.ts';
import { type Checked, checksOf } from './operations.tsx';
import { runbookLink } from './runbook.tsx';
import { SILENT, UNWRITABLE } from '../kernel/http/health.ts';
import { Markdown } from '../kernel/ui/markdown.tsx';

const htmlOf = (document: string): string => renderToString(h(Markdown, { document }));

const QUIET: Checked = {
  nowMs: 100 * HOUR_MS,
  fault: undefined,
  engine: 'sqlite',
  schemaVersion: 100,
  requests: { answered: 0, failed: 0, shed: 0 },
  waiting: 0,
  backlogs: [],
  backupMs: 99 * HOUR_MS,
  catalog: 'abc',
  server: { aheadMs: 0, isAsynchronous: false },
};

const backlog = (queue: string, overdueSeconds: number) => ({
  queue,
  pending: 3,
  overdueSeconds,
  retrying: 0,
  lastError: undefined,
});

/** Returns the states of all checks that are not good. */
function faults(change: Partial<Checked>): Record<string, string> {
  const checks = checksOf({ ...QUIET, ...change }).filter(({ state }) => state !== 'good');
  return Object.fromEntries(checks.map(({ what, state }) => [what, state]));
}

test('each check names its fault, and nothing else', () => {
  expect(faults({})).toEqual({});
  expect(faults({ fault: SILENT })).toEqual({ Database: 'bad' });
  expect(faults({ fault: UNWRITABLE })).toEqual({ Database: 'bad' });
  expect(faults({ waiting: 5_001 })).toEqual({ Charges: 'bad' });
  expect(faults({ requests: { answered: 999, failed: 1, shed: 0 } })).toEqual({ Errors: 'warn' });
  expect(faults({ requests: { answered: 9, failed: 1, shed: 0 } })).toEqual({ Errors: 'bad' });
  expect(faults({ requests: { answered: 9, failed: 0, shed: 1 } })).toEqual({ Refused: 'bad' });
  expect(faults({ backlogs: [backlog('mail', 1), backlog('webhooks', 61)] })).toEqual({ Queues: 'bad' });
  expect(faults({ server: { aheadMs: -6_000, isAsynchronous: false } })).toEqual({ Clock: 'bad' });
  expect(faults({ server: { aheadMs: 0, isAsynchronous: true } })).toEqual({ Standby: 'warn' });
  expect(faults({ backupMs: undefined })).toEqual({ Backup: 'warn' });
  expect(faults({ backupMs: 51 * HOUR_MS })).toEqual({ Backup: 'warn' });
});

test('every queue that is late is named, the latest first', () => {
  const backlogs = [backlog('mail', 61), backlog('files', 1), backlog('webhooks', 3 * 24 * 3_600)];
  const queues = checksOf({ ...QUIET, backlogs }).find(({ what }) => what === 'Queues');
  expect(queues?.says).toBe('overdue: webhooks for 3 days, mail for 2 minutes');
});

test('each check links to a heading that the runbook has', () => {
  const html = htmlOf(readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8'));
  const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, anchor]) => anchor));
  for (const { heading } of checksOf(QUIET)) expect(anchors).toContain(runbookLink(heading).split('#')[1]);
  for (const [, anchor] of html.matchAll(/href="#([^"]+)"/g)) expect(anchors).toContain(anchor);
});

test('the runbook links to nothing that is not served', () => {
  const html = htmlOf('# Title\n\nSee [the settings](settings.md) and [below](#now).\n\n## Now\n\nRun `marque <x>`.\n');
  expect(html).toBe(
    '<div class="manual"><p>See the settings and <a href="#now">below</a>.</p><h2 id="now">Now</h2><p>Run <code>marque &lt;x></code>.</p></div>',
  );
});

test('the runbook is drawn whole', () => {
  const html = htmlOf(
    'Before.\n\n- **One** `a`\n- Two\n\n1. First\n\n   ```\n   run <it>\n   ```\n\n| A | B |\n| - | - |\n| 1 | 2 |\n',
  );
  for (const part of [
    '<li><strong>One</strong> <code>a</code></li>',
    '<ol><li><p>First</p>',
    'run &lt;it>',
    '>2</td>',
  ]) {
    expect(html).toContain(part);
  }
  const manual = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  expect(htmlOf(manual)).not.toMatch(/\*\*|\]\(|```/);
});
