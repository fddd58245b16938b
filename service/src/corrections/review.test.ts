import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { claimOn, correctionsOn, report, type TestCorrections } from './testing/corrections.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { decoder } from '../testing/decoder.ts';
import { longestTurnOf } from '../testing/loop-turns.ts';
import { newUuid7 } from '../kernel/db/uuid7.ts';
import { until } from '../testing/until.ts';

/** Accords of one series: each test takes one that no other takes. */
const SERIES = Array.from({ length: 12 }, (_, index) => `1HGCM82633A0043${String(index + 10)}`);
const BY = { by: 'admin:a@example.com', reason: 'The brochure says so.' } as const;
const ACCOUNT = { kind: 'workspace', workspaceId: 'w1', keyId: 'k1' } as const;

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let here: TestCorrections;
  let taken = 0;
  let labeledFolder: string;

  beforeAll(async () => {
    labeledFolder = mkdtempSync(join(tmpdir(), 'marque-labelled-'));
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    here = await correctionsOn(database, { labeledFolder });
  });

  afterAll(async () => {
    await here.live.close();
    await fresh.remove();
    rmSync(labeledFolder, { recursive: true, force: true });
  });

  const nextVin = (): string => SERIES[taken++] ?? '';
  const stateOf = async (id: string) => (await here.corrections.review(id))?.report.state;

  test('a preview lists what would change, and changes nothing', async () => {
    const [vin, labelled] = [nextVin(), nextVin()];
    const stored = nextVin();
    const label = { vin: labelled, expected: { trim: 'Right', model: 'Accord' } };
    writeFileSync(join(labeledFolder, 'a.jsonl'), `${JSON.stringify(label)}\nnot json\n{"vin":"x"}\n`);
    await database.kysely
      .insertInto('decodes')
      .values(
        [stored, stored, 'WVWZZZ1KZ5W123456'].map((each) => ({
          id: newUuid7(Date.now()),
          subject: 'public:x',
          key_id: null,
          vin: each,
          outcome: 'identified',
          report: JSON.stringify(decoder.decode(each)),
          charged: 0,
          created_at: Date.now(),
        })),
      )
      .execute();
    const id = await report(here, claimOn(vin));
    const scope = { kind: 'pattern', wmi: '1HG', pattern: 'CM826', years: [null, null] } as const;
    const preview = await here.corrections.preview({ scope, fields: { trim: 'Right' } }, id);
    if (preview.kind === 'invalid') throw new Error(preview.faults.join());
    const change = { field: 'trim', before: decoder.decode(vin).trim, after: 'Right' };
    expect(preview.impact).toEqual({
      vins: [
        { vin, from: 'reported', changes: [change] },
        { vin: labelled, from: 'labelled', changes: [{ ...change, labelled: 'Right' }] },
        { vin: stored, from: 'stored', changes: [change] },
      ],
      labelled: { looked: 1, covered: 1, changed: 1 },
      stored: { looked: 2, covered: 1, changed: 1 },
      harmed: 0,
    });
    expect(here.corrected.decode(vin).trim).toBe(change.before);
    expect(await stateOf(id)).toBe('queued');
    const unchanged = await here.corrections.preview({ scope, fields: { manufacturer: 'Honda' } }, id);
    expect(unchanged).toMatchObject({ impact: { vins: [], labelled: { covered: 1, changed: 0 } } });
    expect(await here.corrections.preview({ scope, fields: {} })).toMatchObject({ kind: 'invalid' });
  });

  test('a review shows both sides, the change that makes the claim true, and similar reports', async () => {
    const [vin, neighbor] = [nextVin(), nextVin()];
    const near = await report(here, claimOn(neighbor));
    const claim = claimOn(vin, { expectedModel: 'Inspire', expectedBodyStyle: 'Estate', expectedModelYear: 'MY 2004' });
    const id = await report(here, claim, ACCOUNT);
    const review = await here.corrections.review(id);
    expect(review?.diff.find(({ field }) => field === 'model')).toEqual({
      field: 'model',
      claimed: 'Inspire',
      reported: undefined,
      answeredThen: 'Accord',
      answersNow: 'Accord',
      agrees: false,
    });
    expect(review?.diff.find(({ field }) => field === 'manufacturer')).toMatchObject({ agrees: true });
    expect(review?.suggestion).toEqual({
      scope: { kind: 'vin', vin },
      fields: { model: 'Inspire', bodyStyle: 'Estate', bodyStyleNormalized: 'wagon', modelYear: '2004' },
    });
    expect(review?.suggestedPattern).toEqual({ kind: 'pattern', wmi: '1HG', pattern: 'CM826', years: [2003, 2003] });
    expect(review?.report).toMatchObject({ workspaceId: 'w1', source: 'subscriber', claim });
    expect(review?.report.answered?.report).toEqual(review?.now?.report);
    expect(review?.similar.map((similar) => similar.id)).toContain(near);
    expect(await here.corrections.review('nothing')).toBeUndefined();
  });

  test('a claim about any field is reviewed, accepted, and resolves equal claims', async () => {
    const [vin, neighbor] = [nextVin(), nextVin()];
    const expectedFields = { 'specs.fuelType': 'Diesel', 'specs.displacementCc': '2,998 cm³', 'specs.powerKw': 179.5 };
    const claim = claimOn(vin, { expectedBodyStyle: 'Coupe', expectedFields });
    const id = await report(here, claim);
    const again = { 'specs.powerKw': '179,5 kW', 'specs.displacementCc': 2998, 'specs.fuelType': 'diesel' };
    const same = await report(here, { ...claim, expectedFields: again });
    const other = await report(here, { ...claim, expectedFields: { 'specs.fuelType': 'Diesel' } });
    const near = await report(here, claimOn(neighbor, { expectedBodyStyle: 'Coupe', expectedFields }));
    const review = await here.corrections.review(id);
    expect(review?.report.duplicates).toBe(1);
    expect(review?.diff.find(({ field }) => field === 'specs.fuelType')).toMatchObject({
      claimed: 'Diesel',
      answersNow: 'Gasoline',
      agrees: false,
    });
    const fields = { 'specs.fuelType': 'Diesel', 'specs.displacementCc': 2998, 'specs.powerKw': 179.5 };
    expect(review?.suggestion).toEqual({ scope: { kind: 'vin', vin }, fields });
    const scope = { kind: 'pattern', wmi: '1HG', pattern: 'CM826', years: [2003, 2003] } as const;
    expect(await here.corrections.accept(id, { scope, fields }, BY)).toMatchObject({ kind: 'accepted' });
    expect(here.corrected.decode(neighbor).specs).toMatchObject({ fuelType: 'Diesel', powerKw: 179.5 });
    expect(await Promise.all([same, other, near].map(stateOf))).toEqual(['accepted', 'superseded', 'superseded']);
    await here.corrections.revert(id, BY);
    expect(here.corrected.decode(neighbor).specs).toMatchObject({ fuelType: 'Gasoline' });
  });

  test('the queue counts what waits and is read oldest first, in pages', async () => {
    const ids = [];
    for (let count = 0; count < 3; count++) {
      ids.push(await report(here, claimOn(nextVin(), { note: 'page' })));
      // Ids are in the order of their milliseconds.
      const madeAtMs = Date.now();
      await until(async () => Date.now() > madeAtMs);
    }
    const queued = await here.corrections.list({ state: 'queued', limit: 200 });
    expect(queued.map(({ id }) => id)).toEqual(queued.map(({ id }) => id).toSorted());
    expect(queued.length).toBe(await here.corrections.countQueued());
    const last = await here.corrections.list({ state: 'queued', after: ids[0] ?? '' });
    expect(last.map(({ id }) => id)).toEqual(ids.slice(1));
    expect((await here.corrections.list({ limit: 2 })).map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
  });
});

/** Returns the longest turn of the event loop in the quickest of some works, in milliseconds of processor time. */
async function shortest(works: readonly (() => Promise<unknown>)[]): Promise<number> {
  const turns: number[] = [];
  for (const work of works) turns.push((await longestTurnOf(work)).ms);
  return Math.min(...turns);
}

test('thousands of reports with long texts hold the event loop neither where one is reviewed nor decided', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const here = await correctionsOn(database);
  try {
    const ids: string[] = [];
    for (const [kind, expectedBodyStyle, length] of [
      ['1HGCM826', 'Coupe', 1_800],
      ['1HGCM566', 'Sedan', 600],
    ] as const) {
      const claimed = { expectedModel: 'Test', expectedBodyStyle };
      const vins = Array.from({ length }, (_, place) => `${kind}33A00${5_000 + place}`);
      const id = await report(here, claimOn(vins[0] ?? '', claimed), { kind: 'public', clientId: kind });
      const row = sql`SELECT * FROM correction_reports WHERE id = ${id}`;
      // One transaction: the disk is waited for once.
      await database.kysely.transaction().execute(async (transaction) => {
        for (const vin of vins.slice(1)) {
          const claim = JSON.stringify(claimOn(vin, claimed));
          await sql`
            INSERT INTO correction_reports (id, vin, claim, claim_hash, actual_report, source, subject, state, created_at)
            SELECT ${`${id} ${vin}`}, ${vin}, ${claim}, ${vin}, printf('%.*c', 120000, 'y'), source, subject, state, 0
            FROM (${row})`.execute(transaction);
        }
      });
      ids.push(id);
    }
    const [first = '', second = ''] = ids;
    const review = () => here.corrections.review(first);
    const list = () => here.corrections.list({ state: 'queued', reporter: 'nobody' });
    const accept = (id: string, pattern: string) => async () => {
      const scope = { kind: 'pattern', wmi: '1HG', pattern, years: [null, null] } as const;
      expect(await here.corrections.accept(id, { scope, fields: { model: 'Test' } }, BY)).toMatchObject({
        kind: 'accepted',
      });
    };
    expect(await shortest([review, review, review])).toBeLessThan(50);
    expect(await shortest([list, list, list])).toBeLessThan(50);
    expect(await shortest([accept(first, 'CM826'), accept(second, 'CM566')])).toBeLessThan(50);
    const superseded = await here.corrections.list({ state: 'superseded', limit: 200 });
    expect(superseded).toHaveLength(200);
  } finally {
    await here.live.close();
    await fresh.remove();
  }
});
