import { describe, expect, test } from 'vitest';

import { openService } from '../../main.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, systemClock } from '../../kernel/clock.ts';
import { readConfig } from '../../kernel/config/config.ts';
import { createLog } from '../../kernel/http/log.ts';
import { Vitals } from '../../kernel/ui/vitals.ts';
import { decoder } from '../../testing/decoder.ts';
import { ENGINES, freshDatabase } from '../../testing/databases.ts';
import { testService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import { openMeter } from '../../metering/index.ts';
import { StorageUnwritableError } from '../../kernel/db/index.ts';
import { SILENT, UNWRITABLE } from '../../kernel/http/health.ts';
import { hoursOf, incidentsIn, MOST_INCIDENTS, periodOf, shareOf } from './availability.ts';
import { pruneMinutes, readRecorded, recordedHere, RECORDED_MS, RequestRecord } from './record.ts';

const minute = (atMinute: number, failed: number, shed = 0) => ({
  atMs: atMinute * MINUTE_MS,
  answered: 10,
  failed,
  shed,
});

/** Minutes in a row, without a fault. */
const good = (fromMinute: number, untilMinute: number) =>
  Array.from({ length: untilMinute - fromMinute }, (_, place) => minute(fromMinute + place, 0));

test('faults that are close together are one incident, the newest first', () => {
  const minutes = [minute(0, 0), minute(1, 2), ...good(2, 6), minute(6, 1, 3), ...good(7, 20), minute(20, 0, 1)];
  expect(incidentsIn(minutes)).toEqual([
    { fromMs: 20 * MINUTE_MS, untilMs: 21 * MINUTE_MS, failed: 0, shed: 1, isDown: false },
    { fromMs: 1 * MINUTE_MS, untilMs: 7 * MINUTE_MS, failed: 3, shed: 3, isDown: false },
  ]);
});

test('minutes in which no instance ran are an incident', () => {
  const minutes = [...good(0, 3), minute(3, 1), ...good(90, 92)];
  expect(incidentsIn(minutes)).toEqual([
    { fromMs: 4 * MINUTE_MS, untilMs: 90 * MINUTE_MS, failed: 0, shed: 0, isDown: true },
    { fromMs: 3 * MINUTE_MS, untilMs: 4 * MINUTE_MS, failed: 1, shed: 0, isDown: false },
  ]);
  expect(periodOf({ minutes, sinceMs: 0 }, 0, 92 * MINUTE_MS)).toMatchObject({ share: '98.36%', downMinutes: 86 });
});

test('100% means that every request was answered', () => {
  expect(shareOf({ answered: 0, failed: 0, shed: 0 })).toBeUndefined();
  expect(shareOf({ answered: 5, failed: 0, shed: 0 })).toBe('100%');
  expect(shareOf({ answered: 9_999_999, failed: 1, shed: 0 })).toBe('99.99%');
  expect(shareOf({ answered: 9_999_999, failed: 0, shed: 1 })).toBe('99.99%');
  expect(shareOf({ answered: 1, failed: 1, shed: 0 })).toBe('50%');
});

test('hours before the record, without an instance, without a request and with failures differ', () => {
  const nowMs = 100 * HOUR_MS + 30 * MINUTE_MS;
  const quiet = good(97 * 60, 98 * 60).map(({ atMs }) => ({ atMs, answered: 0, failed: 0, shed: 0 }));
  const minutes = [...quiet, ...good(98 * 60, 99 * 60), ...good(100 * 60, 100 * 60 + 30), minute(100 * 60 + 30, 1)];
  const hours = hoursOf({ minutes, sinceMs: 97 * HOUR_MS }, nowMs);
  expect(hours).toHaveLength(24);
  expect(hours.slice(-5).map(({ state }) => state)).toEqual(['unknown', 'quiet', 'good', 'off', 'bad']);
});

test('a day of minutes is kept, and no more', () => {
  let nowMs = 0;
  const vitals = new Vitals(() => nowMs);
  for (; nowMs < 26 * HOUR_MS; nowMs += MINUTE_MS) vitals.note('answered');
  expect(vitals.minutes.length).toBeLessThanOrEqual(24 * 60);
  expect(vitals.minutes[0]?.atMs).toBeGreaterThan(2 * HOUR_MS - 3 * MINUTE_MS);
});

test('a process of more than a day, alone, is not down in the minutes that it no longer has', () => {
  let nowMs = 0;
  const vitals = new Vitals(() => nowMs);
  for (; nowMs < 26 * HOUR_MS; nowMs += MINUTE_MS) vitals.note('answered');
  nowMs -= 1;
  const recorded = recordedHere(vitals, nowMs);
  expect(recorded.minutes.length).toBeGreaterThan(23 * 60);
  expect(periodOf(recorded, 0, nowMs)).toMatchObject({ share: '100%', downMinutes: 0 });
  expect(hoursOf(recorded, nowMs).map(({ state }) => state)).toEqual(Array.from({ length: 24 }, () => 'good'));
});

test('only the latest of many incidents are listed', () => {
  const minutes = Array.from({ length: 1_000 }, (_, place) => minute(place, place % 10 === 0 ? 1 : 0));
  const incidents = incidentsIn(minutes);
  expect(incidents).toHaveLength(MOST_INCIDENTS);
  expect(incidents[0]?.fromMs).toBe(990 * MINUTE_MS);
});

describe.each(ENGINES)('on %s', (engine) => {
  test('after the clock is set back, every minute is recorded once, and none of the future is reported', async () => {
    const fresh = await freshDatabase(engine);
    const database = await fresh.open();
    const meter = openMeter(database, systemClock);
    const warnings: object[] = [];
    const log = { warn: (line: object) => void warnings.push(line) };
    const startMs = 100 * DAY_MS;
    let nowMs = startMs + HOUR_MS;
    const vitals = new Vitals(() => nowMs);
    const record = new RequestRecord({ database, writer: meter, vitals, log });
    vitals.note('answered');
    await record.close();
    for (let place = 0; place < 5; place += 1) {
      nowMs = startMs + place * MINUTE_MS;
      vitals.note('failed');
      await record.close();
    }
    // One step of a second, over the turn of a minute.
    nowMs -= 1_000;
    vitals.note('failed');
    nowMs += 1_000;
    vitals.note('failed');
    await record.close();
    expect(warnings).toEqual([]);
    const failed = [1, 1, 1, 2, 2];
    const expected = failed.map((count, place) => ({
      atMs: startMs + place * MINUTE_MS,
      answered: 0,
      failed: count,
      shed: 0,
    }));
    // Its own memory, and what another process reads.
    for (const reader of [vitals, new Vitals(() => nowMs)]) {
      const { minutes } = await readRecorded(database, reader, nowMs);
      expect(minutes).toEqual(expected);
      expect(incidentsIn(minutes)).toMatchObject([{ failed: 7, isDown: false }]);
    }
    await meter.close();
    await fresh.remove();
  });

  test('the answers of each instance are known to all instances, outlast them, and go after a week', async () => {
    const fresh = await freshDatabase(engine);
    const database = await fresh.open();
    const meter = openMeter(database, systemClock);
    const warnings: object[] = [];
    const log = { warn: (line: object) => void warnings.push(line) };
    let nowMs = 100 * DAY_MS;
    const process = () => {
      const vitals = new Vitals(() => nowMs);
      return { vitals, record: new RequestRecord({ database, writer: meter, vitals, log }) };
    };
    const [first, second] = [process(), process()];
    for (const { record } of [first, second]) record.start();
    for (const outcome of ['answered', 'answered', 'failed'] as const) first.vitals.note(outcome);
    second.vitals.note('shed');
    // What is written twice is counted once.
    await first.record.close();
    await first.record.close();
    const together = { atMs: nowMs, answered: 2, failed: 1, shed: 1 };
    expect(await readRecorded(database, second.vitals, nowMs)).toEqual({ minutes: [together], sinceMs: nowMs });
    await second.record.close();
    nowMs += 5 * MINUTE_MS;
    const third = process();
    third.vitals.note('answered');
    const later = { atMs: nowMs, answered: 1, failed: 0, shed: 0 };
    const recorded = await readRecorded(database, third.vitals, nowMs);
    expect(recorded.minutes).toEqual([together, later]);
    expect(incidentsIn(recorded.minutes).map(({ isDown }) => isDown)).toEqual([true, false]);
    expect(await pruneMinutes(database.kysely, 100 * DAY_MS + RECORDED_MS)).toBe(0);
    expect(await pruneMinutes(database.kysely, 100 * DAY_MS + RECORDED_MS + 1)).toBe(2);
    expect(warnings).toEqual([]);
    await meter.close();
    await fresh.remove();
  });
});

test('the page of a service that was started again knows its failures before that', async () => {
  const fresh = await freshDatabase('sqlite');
  const reading = readConfig({ DATA_DIR: fresh.location.dataDir, LOG_LEVEL: 'silent' });
  if (reading.kind === 'faulty') throw new Error('The configuration is faulty.');
  const { config } = reading;
  const log = createLog(config.logLevel, { write: () => undefined }, { secrets: [] });
  const opened = () => openService(config, decoder, log);
  const first = await opened();
  first.app.get('/broken', () => Promise.reject(new Error('broken')));
  expect((await first.app.inject('/broken')).statusCode).toBe(500);
  await first.close();
  const second = await opened();
  const { body } = await second.app.inject('/status');
  expect(body).toContain('1 failed');
  expect((await second.app.inject('/status.atom')).body).toContain('1 failed');
  await second.close();
  await fresh.remove();
});

test('the page reports that decoding works, with version and catalog', async () => {
  await using service = await testService();
  const { body, statusCode } = await service.app.inject('/status');
  expect(statusCode).toBe(200);
  const { version } = (await service.app.inject('/api/catalog')).json<{ version: string }>();
  for (const text of ['Decoding works.', version, 'No request failed', 'All instances']) expect(body).toContain(text);
});

test('the page reports that the database does not answer, and the failures', async () => {
  await using service = await testService();
  await service.app.ready();
  await service.database.close();
  expect((await service.app.inject('/readyz')).statusCode).toBe(503);
  const page = () => service.app.inject('/status');
  // The outcome of an answer is noted after it was sent.
  await until(async () => (await page()).body.includes('1 failed'));
  const { body, statusCode } = await page();
  expect(statusCode).toBe(200);
  expect(body).toContain(`Decoding does not work. ${SILENT}`);
  expect(body).not.toContain('No request failed');
  expect(body).toContain('These figures are of this process');
});

test('the page keeps the record of all instances while the database can be read, and cannot store anything', async () => {
  await using service = await testService();
  await service.app.ready();
  service.database.failure.note(new StorageUnwritableError('The disk is full.'));
  const { body } = await service.app.inject('/status');
  expect(body).toContain(`Decoding does not work. ${UNWRITABLE}`);
  expect(body).toContain('All instances of this service together');
});
