import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { csvLines } from '../csv.ts';
import { loadSpecs, readSpecTable, specFactsFolder } from './load.ts';

const facts = loadSpecs();
const faultsOf = (text: string): string[] => readSpecTable('some.csv', text).faults;

describe('the tables of facts/specs', () => {
  test('have no fault and all of their sources', () => {
    expect(facts.sources.map(({ id }) => id)).toContain('epa');
    expect(facts.sources.filter(({ rows }) => rows.length < 10)).toEqual([]);
  });

  test('name no source that nobody opened: a publication that could serve as a check is general knowledge', () => {
    const folder = specFactsFolder();
    const [header = [], ...lines] = csvLines(readFileSync(new URL('sources.csv', folder), 'utf8'));
    const unread = lines.filter(([id]) =>
      csvLines(readFileSync(new URL(`${id}.csv`, folder), 'utf8'))[0]?.includes('check_against'),
    );
    expect(unread.length).toBeGreaterThan(0);
    for (const line of unread) {
      expect([line[0], line[header.indexOf('kind')]]).toEqual([line[0], 'knowledge']);
      expect(line[header.indexOf('title')]).toContain('from general knowledge');
    }
  });

  test.each(['press', 'press-elsewhere'])('name the page that was read for each figure of %s', (id) => {
    const [header = [], ...rows] = csvLines(readFileSync(new URL(`${id}.csv`, specFactsFolder()), 'utf8'));
    const pages = rows.map((row) => row[header.indexOf('source')] ?? '');
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter((page) => !/^https?:\/\/\S+$/.test(page))).toEqual([]);
  });

  test('keep to years in which their sources looked', () => {
    for (const { rows } of facts.sources) for (const { from, to } of rows) expect(to - from).toBeLessThan(50);
  });
});

describe('a table with faults', () => {
  test('is refused with the file, the line and the fault', () => {
    expect(faultsOf('make,model,from,to,powerKw\nFord,Focus,2012,2014,fast\n')).toEqual([
      'some.csv:2: powerKw: "fast" is no number',
    ]);
    expect(faultsOf('make,model,from,to,drive\nFord,Focus,2012,2014,FWD\n')[0]).toMatch(
      /^some\.csv:2: drive: "FWD" is none of Front-wheel drive, /,
    );
    expect(faultsOf('make,model,from,to,vin\nNissan,Leaf,2019,2022,A at 4\n')[0]).toMatch(
      /^some\.csv:2: vin: .*"A at 4": write a pattern/,
    );
    expect(faultsOf('make,model,from,to,colour\n')).toEqual(['some.csv:1: there is no column "colour"']);
    expect(faultsOf('make,model,from\n')).toEqual(['some.csv:1: the column "to" is missing']);
    expect(faultsOf('make,model,from,to\nFord,Focus,2014\n')).toContain('some.csv:2: 3 fields, not 4');
  });

  test.each(Object.getOwnPropertyNames(Object.prototype))('is refused if a column is called %s', (column) => {
    expect(faultsOf(`make,model,from,to,${column}\n`)).toEqual([`some.csv:1: there is no column "${column}"`]);
  });

  test('is refused where a car is out of proportion', () => {
    const columns = 'make,model,from,to,fuel,cc,powerKw,lengthMm,wheelbaseMm,curbKg,grossKg,cargoL,cargoMaxL';
    const faults = (row: string): string[] => faultsOf(`${columns}\n${row}\n`).map((fault) => fault.slice(12));
    expect(faults('Ford,Focus,2012,2014,Gasoline,2000,119,4358,2648,1320,1825,316,1101')).toEqual([]);
    expect(faults('Ford,Focus,2014,2012,,,,,,,,,')).toEqual(['the years 2014 to 2012 run backwards']);
    expect(faults('Ford,Focus,2012,2014,,,,4358,1700,,,,')).toEqual(['a wheelbase of 1700 mm at a length of 4358 mm']);
    expect(faults('Ford,Focus,2012,2014,,,,,,1900,1825,,')).toEqual([
      'a curb weight of 1900 kg at a gross weight of 1825 kg',
    ]);
    expect(faults('Ford,Focus,2012,2014,Gasoline,1000,900,,,,,,')).toEqual(['900 kW from 1000 cc']);
    expect(faults('Ford,Focus,2012,2014,,,,,,,,500,400')[0]).toMatch(/^a luggage space of 500 l/);
    expect(faults(',Focus,2012,2014,,,,,,,,,')).toEqual(['the make is empty']);
  });
});
