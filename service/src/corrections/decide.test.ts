import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listAudit, verifyAudit } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { privacy } from './privacy.ts';
import { claimOn, correctionsOn, report, type TestCorrections } from './testing/corrections.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { decoder } from '../testing/decoder.ts';
import { unknownVin } from '../testing/vins.ts';
import type { ProposedOverride } from './index.ts';

/** Accords of one series: each test takes one that no other takes. */
const SERIES = Array.from({ length: 30 }, (_, index) => `1HGCM82633A0043${String(index + 10)}`);
/** Until it comes, on any machine: the promise of two seconds is not measured here. */
const SOON = { interval: 10 };
const BY = { by: 'admin:a@example.com', reason: 'The brochure says so.' } as const;
const ACCOUNT = { kind: 'workspace', workspaceId: 'w1', keyId: 'k1' } as const;

/** An override for one VIN. */
const forVin = (vin: string, fields: ProposedOverride['fields'] = { trim: 'Test' }): ProposedOverride => ({
  scope: { kind: 'vin', vin },
  fields,
});

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let here: TestCorrections;
  let there: TestCorrections;
  let taken = 0;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    here = await correctionsOn(database);
    there = await correctionsOn(await fresh.open());
  });

  afterAll(async () => {
    await here.live.close();
    await there.live.close();
    await fresh.remove();
  });

  const nextVin = (): string => SERIES[taken++] ?? '';
  const trimOf = (vin: string, on = here) => on.corrected.decode(vin).trim;
  const stateOf = async (id: string) => (await here.corrections.review(id))?.report.state;

  test('an override names no VIN, whether a report or an administrator wrote it', async () => {
    const vin = nextVin();
    const id = await report(here, claimOn(vin, { expectedModel: 'as WDB2030461A\u00AD701291' }));
    const { suggestion } = (await here.corrections.review(id)) ?? {};
    expect(suggestion?.fields).toMatchObject({ model: 'as WDB2030461A******' });
    const typed = forVin(vin, { trim: 'xWDB2030461A701291', generation: 'WDB2030461A-701291' });
    const fields = { trim: 'xWDB2030461******', generation: 'WDB2030461A******' };
    const previewed = await here.corrections.preview(typed, id);
    expect(JSON.stringify(previewed)).not.toContain('701291');
    expect(await here.corrections.accept(id, typed, BY)).toMatchObject({ kind: 'accepted', override: { fields } });
    expect(JSON.stringify(await listAudit(database, { subject: `report:${id}` }))).not.toContain('701291');
  });

  test("an erased workspace's accepted report keeps no reason; the correction, which is about a vehicle, stays", async () => {
    const vin = nextVin();
    const workspaceId = 'gone-since';
    const id = await report(here, claimOn(vin), { kind: 'workspace', workspaceId, keyId: null });
    await here.corrections.accept(id, forVin(vin), { ...BY, reason: 'Ada of Ada Motors says so.' });
    const which = { kind: 'workspace', id: workspaceId, slug: workspaceId } as const;
    const erasure = await privacy.erasure?.({ database, clock: systemClock, actor: 'cli:test' }, which);
    await erasure?.mask?.();
    const reports = database.kysely.selectFrom('correction_reports').select(['state', 'reason', 'claim']);
    const left = await reports.where('id', '=', id).executeTakeFirstOrThrow();
    expect(left).toMatchObject({ state: 'accepted', reason: '', claim: expect.not.stringContaining('Accord') });
    expect(trimOf(vin)).toBe('Test');
  });

  test('of equal reports the next one is reviewed where the first is erased with its workspace', async () => {
    const vin = nextVin();
    const claim = claimOn(vin, { expectedModel: 'Erased first' });
    const erased = { kind: 'workspace', workspaceId: 'gone', keyId: null } as const;
    const first = await report(here, claim, erased);
    const others = [await report(here, claim, ACCOUNT), await report(here, claim)];
    // Ids of one millisecond are in no order.
    const [second = '', third = ''] = others.toSorted();
    const queued = async () => (await here.corrections.list({ state: 'queued', vin })).map(({ id }) => id);
    expect(await queued()).toEqual([first]);
    const actor = 'cli:test';
    const which = { kind: 'workspace', id: 'gone', slug: 'gone' } as const;
    const erasure = await privacy.erasure?.({ database, clock: systemClock, actor }, which);
    await erasure?.mask?.();
    expect(await queued()).toEqual([second]);
    const { report: next } = (await here.corrections.review(second)) ?? {};
    expect(next).toMatchObject({ duplicates: 1, answered: { report: { vin } } });
    await here.corrections.reject(second, BY);
    expect([await stateOf(first), await stateOf(third)]).toEqual(['rejected', 'rejected']);
  });

  test('an accepted report changes the next decode here at once, elsewhere within two seconds, and back', async () => {
    const vin = nextVin();
    const before = decoder.decode(vin);
    const id = await report(here, claimOn(vin));
    const accepted = await here.corrections.accept(id, forVin(vin), BY);
    expect(accepted).toMatchObject({ kind: 'accepted', override: { reportId: id, createdBy: BY.by } });
    expect(trimOf(vin)).toBe('Test');
    await expect.poll(() => trimOf(vin, there), SOON).toBe('Test');
    expect(await stateOf(id)).toBe('accepted');
    expect(await here.corrections.revert(id, BY)).toEqual({ kind: 'decided' });
    expect(here.corrected.decode(vin)).toEqual(before);
    await expect.poll(() => trimOf(vin, there), SOON).toBe(before.trim);
    expect(await stateOf(id)).toBe('reverted');
  });

  test('an instance that starts later knows all overrides that are in force', async () => {
    const vin = nextVin();
    const id = await report(here, claimOn(vin));
    await here.corrections.accept(id, forVin(vin), BY);
    const late = await correctionsOn(await fresh.open());
    expect(trimOf(vin, late)).toBe('Test');
    await late.live.close();
  });

  test("the evidence of a corrected field names the override and the catalog's value", async () => {
    const vin = nextVin();
    const id = await report(here, claimOn(vin));
    const fields = { model: 'Test model', trim: null };
    await here.corrections.accept(id, forVin(vin, fields), BY);
    const { report: shown, fields: evidence } = here.corrected.explain(vin);
    expect(shown).toEqual(here.corrected.decode(vin));
    expect(evidence.find(({ field }) => field === 'model')).toMatchObject({
      value: 'Test model',
      rows: [{ value: 'Test model', source: expect.stringMatching(/^override /), row: `VIN ${vin}` }],
      note: 'Set by a correction.',
    });
    expect(evidence.find(({ field }) => field === 'trim')).toMatchObject({ value: undefined });
  });

  test('a report completed by another source is corrected, too', async () => {
    const vin = nextVin();
    const id = await report(here, claimOn(vin));
    await here.corrections.accept(id, forVin(vin, { trim: null, model: 'Test model' }), BY);
    const completed = { ...decoder.decode(vin), model: 'Other', trim: 'Other' };
    expect(here.corrected.correct(completed)).toMatchObject({ model: 'Test model' });
    expect(here.corrected.correct(completed)).not.toHaveProperty('trim');
  });

  test('each report is decided once, and only accepted ones are reverted', async () => {
    const vin = nextVin();
    const [first, second] = [
      await report(here, claimOn(vin)),
      await report(here, claimOn(vin, { expectedModel: 'X' })),
    ];
    expect(await here.corrections.revert(first, BY)).toEqual({ kind: 'not-possible', state: 'queued' });
    expect(await here.corrections.reject(first, BY)).toEqual({ kind: 'decided' });
    expect(await here.corrections.accept(first, forVin(vin), BY)).toEqual({ kind: 'not-possible', state: 'rejected' });
    expect(await here.corrections.supersede(second, first, BY)).toEqual({ kind: 'decided' });
    expect(await here.corrections.reject(second, BY)).toEqual({ kind: 'not-possible', state: 'superseded' });
    expect(await here.corrections.accept('nothing', forVin(vin), BY)).toEqual({ kind: 'unknown' });
    expect(trimOf(vin)).toBe(decoder.decode(vin).trim);
  });

  test('of two who accept at once one does', async () => {
    const vin = nextVin();
    const id = await report(here, claimOn(vin));
    const outcomes = await Promise.all(
      [here, there, here, there].map(async ({ corrections }) => corrections.accept(id, forVin(vin), BY)),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
      'accepted',
      'not-possible',
      'not-possible',
      'not-possible',
    ]);
    expect(await here.corrections.review(id)).toMatchObject({ overrides: [{ reportId: id }] });
  });

  test('a proposal that does not fit is refused with every fault, and nothing is written', async () => {
    const vin = nextVin();
    const id = await report(here, claimOn(vin));
    const bad = await here.corrections.accept(id, { scope: { kind: 'vin', vin: 'X' }, fields: { model: '' } }, BY);
    expect(bad).toMatchObject({ kind: 'invalid', faults: [expect.any(String), expect.any(String)] });
    const scopes: ProposedOverride['scope'][] = [
      { kind: 'vin', vin: 'WVWZZZ1KZ5W123456' },
      { kind: 'pattern', wmi: 'WVW', pattern: '', years: [null, null] },
      { kind: 'pattern', wmi: '1HG', pattern: 'CM826', years: [1990, 1991] },
    ];
    for (const scope of scopes) {
      expect(await here.corrections.accept(id, { scope, fields: { trim: 'Test' } }, BY)).toEqual({
        kind: 'invalid',
        faults: ['The override does not cover the VIN of the report.'],
      });
    }
    expect(await here.corrections.reject(id, { ...BY, reason: ' ' })).toMatchObject({ kind: 'invalid' });
    expect(await stateOf(id)).toBe('queued');
    expect(await here.corrections.review(id)).toMatchObject({ overrides: [], history: [{ action: 'report.queued' }] });
  });

  test('a correction that would leave a VIN without a make is refused in words; one that sets it, too, is accepted', async () => {
    // No WMI begins with 3ZZ, so that only a correction can give the make.
    const vin = unknownVin(7);
    const id = await report(here, claimOn(vin));
    const refusal = { kind: 'invalid', faults: [expect.stringContaining('Set manufacturer, too')] };
    expect(await here.corrections.preview(forVin(vin, { model: 'Bar' }), id)).toMatchObject(refusal);
    expect(await here.corrections.accept(id, forVin(vin, { model: 'Bar' }), BY)).toMatchObject(refusal);
    expect(await stateOf(id)).toBe('queued');
    await here.corrections.accept(id, forVin(vin, { manufacturer: 'Foo', model: 'Bar' }), BY);
    expect(here.corrected.decode(vin)).toEqual({ ...decoder.decode(vin), manufacturer: 'Foo', model: 'Bar' });
  });

  test('of VINs without a make, a pattern that sets other fields changes nothing', async () => {
    const [vin, other] = [unknownVin(8), unknownVin(9)];
    const ids = [await report(here, claimOn(vin)), await report(here, claimOn(vin, { expectedModel: 'Bar' }))];
    await here.corrections.accept(ids[0] ?? '', forVin(vin, { manufacturer: 'Foo' }), BY);
    const scope = { kind: 'pattern', wmi: '3ZZ', pattern: 'ADP', years: [null, null] } as const;
    await here.corrections.accept(ids[1] ?? '', { scope, fields: { model: 'Bar', 'specs.powerKw': 7 } }, BY);
    expect(here.corrected.decode(vin)).toMatchObject({ manufacturer: 'Foo', model: 'Bar', specs: { powerKw: 7 } });
    expect(here.corrected.decode(other)).toEqual(decoder.decode(other));
    expect(here.corrected.explain(other).report).toEqual(decoder.decode(other));
    // It also applies to the VINs of other tests.
    expect(await here.corrections.revert(ids[1] ?? '', BY)).toMatchObject({ kind: 'decided' });
  });

  test('a report on an invalid VIN can be rejected, and not accepted', async () => {
    const id = await report(here, claimOn('no VIN'));
    expect(await here.corrections.review(id)).toMatchObject({ now: null, suggestion: null });
    expect(await here.corrections.accept(id, forVin(nextVin()), BY)).toMatchObject({ kind: 'invalid' });
    expect(await here.corrections.reject(id, BY)).toEqual({ kind: 'decided' });
  });

  test('reports that say the same are one in the queue, and share its fate', async () => {
    const vin = nextVin();
    const account = { ...ACCOUNT, workspaceId: 'same' };
    const ids = [
      await report(here, claimOn(vin)),
      await report(here, claimOn(vin.toLowerCase(), { expectedModel: ' ACCORD ', note: 'Me too.' }), account),
      await report(here, claimOn(vin, { note: 'And me.' })),
    ];
    const queued = await here.corrections.list({ state: 'queued', vin });
    expect(queued).toMatchObject([{ id: ids[0], duplicates: 2, duplicateOf: null }]);
    await here.corrections.accept(ids[0] ?? '', forVin(vin), BY);
    expect(await Promise.all(ids.map(stateOf))).toEqual(['accepted', 'accepted', 'accepted']);
    expect(await here.corrections.ownReports('same')).toMatchObject([
      { id: ids[1], state: 'accepted', reason: BY.reason },
    ]);
    // Any of them takes it back for all.
    expect(await here.corrections.revert(ids[2] ?? '', BY)).toEqual({ kind: 'decided' });
    expect(await Promise.all(ids.map(stateOf))).toEqual(['reverted', 'reverted', 'reverted']);
    expect(trimOf(vin)).toBe(decoder.decode(vin).trim);
  });

  test('of reports that come at once all but one are linked to it', async () => {
    const vin = nextVin();
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => report(index % 2 === 0 ? here : there, claimOn(vin))),
    );
    const [first] = await here.corrections.list({ state: 'queued', vin });
    expect(ids).toContain(first?.id);
    expect(first?.duplicates).toBe(7);
  });

  test('a pattern corrects every VIN that fits, and resolves the reports that it makes right', async () => {
    const [vin, other, wrong] = [nextVin(), nextVin(), nextVin()];
    const year = decoder.decode(vin).modelYear;
    const claim = { expectedModel: 'Test family' };
    const id = await report(here, claimOn(vin, claim));
    const settled = await report(here, claimOn(other, { ...claim, expectedBodyStyle: 'unknown' }));
    const unsettled = await report(here, claimOn(wrong, { expectedModel: 'Something else' }));
    const years = [Number(year), Number(year)] as const;
    const scope = { kind: 'pattern', wmi: '1HG', pattern: 'CM826', years } as const;
    const outcome = await here.corrections.accept(id, { scope, fields: { model: 'Test family' } }, BY);
    expect(outcome.kind).toBe('accepted');
    expect([vin, other].map((each) => here.corrected.decode(each).model)).toEqual(['Test family', 'Test family']);
    expect(await Promise.all([settled, unsettled].map(stateOf))).toEqual(['superseded', 'queued']);
    expect((await here.corrections.review(settled))?.report.settledBy).toBe(id);
    await here.corrections.revert(id, BY);
  });

  test('overrides in force are listed, and the reverted ones where they are asked for', async () => {
    const all = await here.corrections.overrides({ withReverted: true });
    const inForce = await here.corrections.overrides();
    expect(inForce).toEqual(all.filter(({ revertedAtMs }) => revertedAtMs === null));
    expect(all.length).toBeGreaterThan(inForce.length);
    expect(here.live.current().size).toBe(inForce.length);
  });

  test('every decision is in the audit log, with who and why, and the chain is whole', async () => {
    const vin = nextVin();
    const id = await report(here, claimOn(vin));
    await here.corrections.accept(id, forVin(vin), BY);
    await here.corrections.revert(id, { by: 'cli:b', reason: 'It was right.' });
    const history = (await here.corrections.review(id))?.history ?? [];
    expect(history).toMatchObject([
      { action: 'report.reverted', actor: 'cli:b', details: { reason: 'It was right.' } },
      { action: 'report.accepted', actor: BY.by, details: { reason: BY.reason, fields: { trim: 'Test' } } },
      { action: 'report.queued', actor: 'public:somebody' },
    ]);
    expect(await verifyAudit(database)).toMatchObject({ kind: 'whole' });
  });
});
