import {
  checkDigitOf,
  openCatalog,
  parsePattern,
  readVin,
  segmentsOf,
  type VehicleReport,
  VIN_CHARACTERS,
} from '@marque/decoder';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readLabeled } from './labels/labeled.ts';
import { CATALOG_ROOT, catalogFile } from './root.ts';
import { loadWorld } from './world/load.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });
const WMIS = [
  '1HG',
  '1FT',
  'WVW',
  'WBA',
  'WDB',
  'VF1',
  'TMB',
  'JTD',
  'KMH',
  'LRW',
  'XTA',
  '3VW',
  '9BW',
  'MA3',
  'ZFA',
  'YV1',
  '1G1',
  '1M9',
  'W09',
];
const anyVin = fc.string({ unit: fc.constantFrom(...VIN_CHARACTERS), minLength: 17, maxLength: 17 });
const vin = fc.oneof(
  anyVin,
  fc.tuple(fc.constantFrom(...WMIS), anyVin).map(([wmi, rest]) => wmi + rest.slice(3)),
);

describe('a decode', () => {
  test('throws for no VIN of 17 characters, and its report is of that VIN', () => {
    fc.assert(
      fc.property(vin, (text) => {
        const report = decoder.decode(text);
        expect(report).toMatchObject({ vin: text, ...segmentsOf(text), validFormat: true });
      }),
      { numRuns: 3_000 },
    );
  });

  test('is the same after any earlier decodes', () => {
    fc.assert(
      fc.property(fc.array(vin, { minLength: 2, maxLength: 6 }), (vins) => {
        const alone = vins.map((text) => JSON.stringify(decoder.decode(text)));
        const reversed = vins.toReversed().map((text) => JSON.stringify(decoder.decode(text)));
        expect(reversed.toReversed()).toEqual(alone);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is explained by evidence that ends in the same report', () => {
    fc.assert(
      fc.property(vin, (text) => {
        expect(decoder.explain(text).report).toEqual(decoder.decode(text));
      }),
      { numRuns: 500 },
    );
  });

  test.each(['', '1HGCM82633A00435', '1HGCM82633A0043522', '1hgcm82633a004352', '1HGCM82633O004352'])(
    'of %j is refused: readVin makes a VIN of a text',
    (text) => {
      expect(() => decoder.decode(text)).toThrow(RangeError);
    },
  );

  test.each([undefined, null, 7, ['1HGCM82633A004352']])(
    'of %j, which is no text, is refused in the same words',
    (value) => {
      for (const name of ['decode', 'decodeToJson', 'shared', 'explain'] as const)
        expect(() => Reflect.apply(decoder[name], decoder, [value])).toThrow(/^decode takes a well-formed VIN/);
    },
  );

  test('of a text that readVin accepts never fails', () => {
    const typed = vin.map((text) => ` ${text.slice(0, 3)}-${text.slice(3).toLowerCase()} `);
    fc.assert(
      fc.property(fc.oneof(typed, fc.string()), (text) => {
        const form = readVin(text);
        expect(form.kind === 'malformed' || decoder.decode(form.vin).vin === form.vin).toBe(true);
      }),
    );
  });
});

describe('the vPIC view', () => {
  test('answers any 17 characters with error codes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 17, maxLength: 17 }),
        (text) => {
          expect(decoder.vpic(text).some(([element]) => element === 143)).toBe(true);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('answers any part of a VIN, with gaps and in any year, and marks it as a part', () => {
    const part = fc.string({
      unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ***'),
      minLength: 3,
      maxLength: 16,
    });
    fc.assert(
      fc.property(part, fc.option(fc.integer({ min: 1900, max: 2100 }), { nil: undefined }), (text, year) => {
        const values = new Map(decoder.vpic(text, year).map(([element, value]) => [element, value]));
        expect(values.get(143)?.split(',')).toContain('6');
        expect(values.get(196)).toMatch(/^[A-Z0-9*]{8}\*[A-Z0-9*]{2,5}$/);
      }),
      { numRuns: 5_000 },
    );
    for (const text of ['1H', '1hgcm82633a004352', '1HGCM82633A0043520', '1HG CM8']) {
      expect(() => decoder.vpic(text)).toThrow(RangeError);
    }
  });
});

/** Explanations are read anew each time, where reports are kept by the start of the VIN. */
function alone(text: string): VehicleReport {
  return decoder.explain(text).report;
}

describe('a VIN that starts like decoded ones gets the report that it gets alone', () => {
  const labeled = readLabeled(`${CATALOG_ROOT}/facts/labelled/golden.jsonl`).map(({ vin: known }) => known);

  test('with any ending, and with the check digit right or wrong', () => {
    const end = fc.string({ unit: fc.constantFrom('0', '1', '9', 'A', 'Z'), minLength: 6, maxLength: 6 });
    const ninth = fc.constantFrom(...'0X9ZA', checkDigitOf);
    fc.assert(
      fc.property(fc.constantFrom(...labeled), ninth, fc.array(end), (known, digit, ends) => {
        for (const text of [known, ...ends.map((serial) => known.slice(0, 11) + serial)]) {
          const character = typeof digit === 'string' ? digit : digit(text);
          const other = text.slice(0, 8) + character + text.slice(9);
          expect(decoder.decode(other)).toEqual(alone(other));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('with another character where NHTSA weighs two model years', () => {
    // Heavy trucks and motorcycles: position 7 does not give the cycle, so that faults of the whole VIN decide.
    const weighed = labeled.filter((text) => /^(?:1F[DT]|1GT|2GC|1HD|9C2|9C6|JH2|WV1)/.test(text));
    const change = fc.tuple(fc.integer({ min: 3, max: 16 }), fc.constantFrom(...VIN_CHARACTERS), fc.boolean());
    fc.assert(
      fc.property(fc.constantFrom(...weighed), fc.array(change, { maxLength: 8 }), (known, changes) => {
        for (const [place, character, fixed] of changes) {
          const other = known.slice(0, place) + character + known.slice(place + 1);
          const text = fixed ? other.slice(0, 8) + checkDigitOf(other) + other.slice(9) : other;
          expect(decoder.decode(text)).toEqual(alone(text));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('with serial numbers on both sides of a boundary of models and years', () => {
    const ranges = loadWorld().flatMap(({ wmis, rows }) => {
      const known = labeled.filter((text) => wmis.includes(text.slice(0, 3)));
      return rows.flatMap(({ pattern, serial }) =>
        serial === undefined ? [] : known.map((text) => ({ text, pattern, serial })),
      );
    });
    fc.assert(
      fc.property(fc.constantFrom(...ranges), ({ text, pattern, serial }) => {
        const start = Array.from(text.slice(0, 12));
        for (const [at, set] of parsePattern(pattern).entries()) if (set !== undefined) start[at] = set.charAt(0);
        for (const end of [...serial, '00000', '99999', ...serial]) {
          const other = start.join('') + end;
          expect(decoder.decode(other)).toEqual(alone(other));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('with serial numbers on both sides of a boundary of batteries', () => {
    const early = ['5YJ3E1EA8JF004000', '5YJ3E1EA0JF061000'];
    const late = ['5YJ3E1EA8JF071000', '5YJ3E1EA1JF104000'];
    for (const text of [early[0], late[0], early[1], late[1], ...early, ...late]) {
      const { specs } = decoder.decode(text ?? '');
      expect(specs).toEqual(alone(text ?? '').specs);
      expect(specs?.batteryCapacityKwh).toBe(early.includes(text ?? '') ? 75 : undefined);
    }
    expect(decoder.candidates('5YJ3E1EA*JF******').report.specs?.batteryCapacityKwh).toBeUndefined();
  });
});
