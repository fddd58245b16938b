import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { interpret, type Interpretation } from './interpret.ts';
import { loadWorld } from './load.ts';
import { factsFolder } from './testing/facts-folder.ts';

const COLUMNS = ['positions', 'code', 'from', 'to', 'make', 'model', 'body', 'cc', 'confidence', 'source'] as const;

interface Fact {
  /** The place of the fact, and its code there: all codes fit the VIN. */
  place: (typeof PLACES)[number];
  years: readonly [from: number, to: number];
  make: string;
  model: string;
  body: string;
  cc: string;
}

const PLACES = ['4,A', '5,B', '6,C', '4-5,AB', '4-6,ABC'] as const;
const [FIRST, LAST] = [2001, 2009];

const FACTS = fc.array(
  fc
    .record<Fact>({
      place: fc.constantFrom(...PLACES),
      years: fc
        .tuple(fc.integer({ min: FIRST - 3, max: LAST }), fc.integer({ min: 1, max: 6 }))
        .map(([from, more]) => [from, from + more] as const),
      make: fc.constantFrom('', 'Acme', 'Apex'),
      model: fc.constantFrom('', 'Rocket', 'Anvil', 'Rocket / Anvil'),
      body: fc.constantFrom('', 'sedan', 'wagon', 'suv'),
      cc: fc.constantFrom('', '1600', '2000'),
    })
    .filter(({ make, model, body, cc }) => `${make}${model}${body}${cc}` !== ''),
  { minLength: 1, maxLength: 6 },
);
const YEAR = fc.integer({ min: FIRST, max: LAST });

/** Interprets a VIN with the facts; its character at position 10 gives the year. */
function read(facts: readonly Fact[], year: number): Interpretation {
  const rows = facts.map(({ place, years, make, model, body, cc }) =>
    [place, ...years, make, model, body, cc, 'B', 'BOOK'].join(','),
  );
  const world = loadWorld(factsFolder([COLUMNS.join(','), ...rows, ''].join('\n')));
  const reading = interpret(world, `ZZAABC000${year - 2000}A000001`);
  if (reading === undefined) throw new Error('The layout reads every VIN of its WMI.');
  return reading;
}

function digits(serial: number): string {
  return String(serial).padStart(5, '0');
}

function isWithin({ years: [from, to] }: Fact, year: number): boolean {
  return year >= from && year <= to;
}

/** Counts the positions that a fact fixes: one for each character of its code. */
function fixed({ place }: Fact): number {
  return place.slice(place.indexOf(',') + 1).length;
}

test('no answer for a car comes only from a fact about another model', () => {
  fc.assert(
    fc.property(FACTS, YEAR, (facts, year) => {
      const { outputs } = read(facts, year);
      if (outputs.model === undefined) return;
      const ofModel = facts.filter(({ model }) => model === '' || model === outputs.model);
      const said = (field: 'make' | 'body' | 'cc'): Set<string> => new Set(ofModel.map((fact) => fact[field]));
      expect([...said('make'), 'Acme', undefined]).toContain(outputs.make);
      expect([...said('body'), undefined]).toContain(outputs.body);
      expect([...said('cc'), undefined]).toContain(outputs.displacementCc?.toString());
    }),
    { numRuns: 150 },
  );
});

test('a model is answered in its own years only, and one whose years contain the year beats one beside it', () => {
  fc.assert(
    fc.property(FACTS, YEAR, (facts, year) => {
      const { model } = read(facts, year).outputs;
      if (model === undefined) return;
      const own = facts.filter((fact) => fact.model === model);
      const near = own.filter((fact) => [year - 1, year, year + 1].some((beside) => isWithin(fact, beside)));
      expect(near).not.toEqual([]);
      const most = Math.max(...near.map(fixed));
      const others = facts.filter((fact) => !['', model].includes(fact.model) && isWithin(fact, year));
      expect(others.filter((fact) => fixed(fact) > most)).toEqual([]);
      const holds = own.some((fact) => fixed(fact) === most && isWithin(fact, year));
      expect(holds || others.every((fact) => fixed(fact) < most)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('the make is the one that the rows of the model name, and open where they name two', () => {
  fc.assert(
    fc.property(FACTS, YEAR, fc.constantFrom('Acme', 'Apex'), (facts, year, make) => {
      const rocket: Fact = { place: '4-6,ABC', years: [FIRST, LAST], make, model: 'Rocket', body: '', cc: '' };
      const others = facts.filter(({ place }) => place !== '4-6,ABC');
      expect(read([...others, rocket], year).outputs).toMatchObject({ make, model: 'Rocket' });
      const badge: Fact = { ...rocket, make: make === 'Acme' ? 'Apex' : 'Acme' };
      const both = read([...others, rocket, badge], year).outputs;
      expect(both.model).toBe('Rocket');
      expect(both.make).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test('a body is answered only if the best facts about the car agree on it, else all of theirs are possible', () => {
  fc.assert(
    fc.property(
      FACTS,
      YEAR,
      fc.tuple(fc.constantFrom('sedan', 'wagon'), fc.constantFrom('sedan', 'wagon')),
      (facts, year, bodies) => {
        const best = bodies.map((body): Fact => ({
          place: '4-6,ABC',
          years: [FIRST, LAST],
          make: '',
          model: '',
          body,
          cc: '',
        }));
        const others = facts.filter(({ place }) => place !== '4-6,ABC');
        const { outputs, possibleBodies } = read([...others, ...best], year);
        const distinct = [...new Set(bodies)];
        expect(outputs.body).toBe(distinct.length === 1 ? distinct[0] : undefined);
        expect(new Set(possibleBodies)).toEqual(new Set(distinct.length === 1 ? [] : distinct));
      },
    ),
    { numRuns: 60 },
  );
});

test('a year letter of two cycles is a year only if a model decides the cycle', () => {
  const early = fc.integer({ min: 1981, max: 1995 });
  fc.assert(
    fc.property(early, fc.boolean(), fc.integer({ min: 0, max: 10 }), (first, isLater, more) => {
      const year = isLater ? first + 30 : first;
      const letter = 'BCDEFGHJKLMNPRS'.charAt(first - 1981);
      const header = 'positions,code,from,to,model,fuel,confidence,source';
      const rows = [`4,A,${year - more},${year + more},Rocket,,B,BOOK`, `5,B,${year},${year},,Diesel,B,BOOK`];
      const world = loadWorld(factsFolder([header, ...rows, ''].join('\n')));
      expect(interpret(world, `ZZAAB0000${letter}A000001`)?.outputs.modelYear).toBe(year);
      expect(interpret(world, `ZZA0B0000${letter}A000001`)?.outputs.modelYear).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test('serial numbers give the year of the series that the row names, between both ends', () => {
  const layouts = `about: x\nlayouts:\n  - {name: row, about: x, make: Acme, wmis: [ZZA], year: none, check_digit: none, tables: [models.csv]}\n`;
  const number = fc.integer({ min: 0, max: 99_999 });
  fc.assert(
    fc.property(fc.tuple(number, number), number, fc.constantFrom('A', 'B'), (ends, serial, plant) => {
      const [from = 0, to = 0] = ends.toSorted((a, b) => a - b);
      const header = 'positions,code,serial_from,serial_to,model_year,confidence,source';
      const row = `4-5+11-12,AB${plant}0,${digits(from)},${digits(to)},2012,B,BOOK`;
      const world = loadWorld(factsFolder([header, row, ''].join('\n'), { 'acme/layouts.yaml': layouts }));
      const told = (series: string): number | undefined =>
        interpret(world, `ZZA${series}000${plant}0${digits(serial)}`)?.outputs.modelYear;
      expect(told('AB00')).toBe(serial >= from && serial <= to ? 2012 : undefined);
      expect(told('AC00')).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});
