import { describe, expect, test } from 'vitest';

import { DRAFT_FIELDS, emptyDraft } from '../report/draft.ts';
import { F, Ledger, VERDICT } from './ledger.ts';
import { mayOverrule, maySet, PRECEDENCE, SOURCE, SOURCES } from './precedence.ts';
import { BY } from './reasons.ts';

describe('the ledger', () => {
  test('takes the first claim on an open field, and notes those that agree or lose', () => {
    const ledger = new Ledger();
    ledger.claim(SOURCE.vpic, F.model, 'Accord', 7);
    ledger.claim(SOURCE.layout, F.model, 'Accord', 8);
    ledger.claim(SOURCE.layout, F.model, 'Civic', 9);
    expect(ledger.known.model).toBe('Accord');
    expect(ledger.claimsOn(F.model).map(({ row, verdict }) => [row, verdict])).toEqual([
      [7, VERDICT.holds],
      [8, VERDICT.agrees],
      [9, VERDICT.outranked],
    ]);
  });

  test('lets a source replace the values that the table of precedence names, and no others', () => {
    const ledger = new Ledger();
    ledger.claim(SOURCE.vpic, F.make, 'Dodge', 1);
    ledger.claim(SOURCE.names, F.make, 'Ram', 2);
    ledger.claim(SOURCE.specs, F.make, 'Dodge', 3);
    expect(ledger.known.make).toBe('Ram');
    expect(ledger.sourceOf(F.make)).toBe('names');
    expect(ledger.claimsOn(F.make)[1]).toMatchObject({ value: 'Dodge', verdict: VERDICT.overruled });
  });

  test('keeps a dropped field open for the sources that follow', () => {
    const ledger = new Ledger();
    ledger.claim(SOURCE.vpic, F.cylinders, 6, 1);
    ledger.drop(SOURCE.engines, F.cylinders, BY.listed);
    expect(ledger.known.cylinders).toBe(0);
    ledger.claim(SOURCE.specs, F.cylinders, 4, 2);
    expect(ledger.known.cylinders).toBe(4);
  });

  test('counts every claim, however many there are', () => {
    const ledger = new Ledger();
    ledger.claim(SOURCE.layout, F.make, 'Dodge', 1);
    for (let row = 0; row < 600; row++) ledger.claim(SOURCE.layout, F.make, `Make ${row}`, row);
    ledger.claim(SOURCE.vpic, F.cylinders, 6, 1);
    ledger.drop(SOURCE.engines, F.cylinders, BY.listed);
    expect(ledger.known.cylinders).toBe(0);
  });

  test('claims nothing by an empty value', () => {
    const ledger = new Ledger();
    for (const [field, name] of DRAFT_FIELDS.entries()) ledger.claim(SOURCE.vpic, field, emptyDraft()[name], 1);
    expect(ledger.count).toBe(0);
  });

  test('forgets its claims, and keeps the values of the vehicle before untouched', () => {
    const ledger = new Ledger();
    ledger.claim(SOURCE.vpic, F.model, 'Accord', 7);
    const before = ledger.known;
    ledger.clear();
    expect(before.model).toBe('Accord');
    expect(ledger.known).toEqual(emptyDraft());
    expect(ledger.claimsOn(F.model)).toEqual([]);
  });

  test('does not count a claim on a field that its source may not set', () => {
    const ledger = new Ledger();
    ledger.claim(SOURCE.form, F.make, 'Honda', 1);
    expect(ledger.known.make).toBe('');
    expect(ledger.claimsOn(F.make).map(({ verdict }) => verdict)).toEqual([VERDICT.outranked]);
    ledger.claim(SOURCE.vpic, F.make, 'Honda', 2);
    ledger.drop(SOURCE.form, F.make, BY.form);
    expect(ledger.known.make).toBe('Honda');
  });
});

describe('the table of precedence', () => {
  test('names sources that there are', () => {
    for (const { overrules } of Object.values(PRECEDENCE)) {
      if (overrules === 'any') continue;
      for (const other of overrules) expect(SOURCES).toContain(other);
    }
  });

  test('lets first readings replace nothing', () => {
    for (const source of [SOURCE.vpic, SOURCE.layout, SOURCE.wmi, SOURCE.specs]) {
      expect(SOURCES.filter((_, other) => mayOverrule(source, other))).toEqual([]);
    }
  });

  test('lets wording set every field', () => {
    expect(DRAFT_FIELDS.every((_, field) => maySet(SOURCE.wording, field))).toBe(true);
  });
});
