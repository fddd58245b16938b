import { OPEN_FROM, OPEN_TO, YEAR_RULES } from '../report/world-fields.ts';
import type { VehicleReport } from '../report/report.ts';
import { F } from '../settle/ledger.ts';
import { FIRST_CODED_YEAR, YEAR_CYCLE, yearOfCode } from '../vin/year-codes.ts';
import type { WorldTables } from '../world/tables.ts';
import { fit } from '../world/years.ts';
import type { Reading } from './reading.ts';

/**
 * Evidence that is read at position 7 too; all other evidence for a year of NHTSA's tables is read at position 10
 * alone.
 */
const AT_POSITION_7: ReadonlySet<string | undefined> = new Set(['position-7', 'light-truck']);

/** The positions of the year's character by the rule of a layout. */
const PLACE: Readonly<Record<(typeof YEAR_RULES)[number], readonly number[]>> = {
  none: [],
  'position-10': [10],
  'position-11': [11],
};

/**
 * Explains in words what decided the model year of a report, or why it has none; undefined where nothing but rows of
 * registers did.
 */
export function noteOnYear(report: VehicleReport, reading: Reading, tables: WorldTables): string | undefined {
  const { ledger, pass, other } = reading;
  if (report.modelYear === undefined) {
    if (pass !== null && other !== undefined) return noteOnCycle(report, reading);
    return noteOnNoYear(reading, tables);
  }
  const [holder] = ledger.claimsOn(F.modelYear);
  if (holder?.source === 'vpic') return noteOnCycle(report, reading);
  if (holder?.source !== 'layout') return undefined;
  if (holder.row >= 0) return 'the year of such vehicles, according to the rows';
  return noteOnLayout(Number(report.modelYear), reading, tables);
}

/** Returns the positions at which the model year was read, where no row gives it. */
export function positionsOfYear({ pass, basis, world }: Reading, tables: WorldTables): readonly number[] {
  if (pass !== null) return AT_POSITION_7.has(basis) ? [7, 10] : [10];
  return placesOf(world.layout, tables);
}

function placesOf(layout: number, tables: WorldTables): readonly number[] {
  return layout < 0 ? [] : PLACE[YEAR_RULES[tables.layoutYear[layout] ?? 0] ?? 'none'];
}

function noteOnNoYear({ vin, currentYear, ledger, pass, world }: Reading, tables: WorldTables): string | undefined {
  if (ledger.known.modelYear !== 0) return 'left out, since the make is not known';
  const [place] = pass === null ? placesOf(world.layout, tables) : [10];
  if (place === undefined) return world.layout < 0 ? undefined : `the VIN does not contain it${builtOf(world)}`;
  const character = vin.charAt(place - 1);
  const code = `position ${place} is ${character}`;
  const first = yearOfCode(character.charCodeAt(0));
  if (first === 0) return `${code}, which is not the code of a year`;
  if (pass !== null) return `${code}, but other characters of the VIN do not fit the year that it means`;
  const [from, to] = [tables.layoutFrom[world.layout] ?? OPEN_FROM, tables.layoutTo[world.layout] ?? OPEN_TO];
  // Layouts code no model year after the next.
  const years = [first, first + YEAR_CYCLE].filter((year) => year <= currentYear + 1 && fit(from, to, year) > 0);
  return years.length > 1
    ? `${code}: ${years.join(' or ')}, and the rows do not decide between them`
    : `${code}, but the rows are of other years`;
}

/** Names the evidence for a year that the layout's character gives: what rules out the year 30 years apart. */
function noteOnLayout(year: number, { vin, currentYear, world }: Reading, tables: WorldTables): string {
  const [place] = placesOf(world.layout, tables);
  if (place === undefined) return 'the only year of production, according to the rows';
  const code = `position ${place} is ${vin.charAt(place - 1)}: ${year}`;
  const other = year < FIRST_CODED_YEAR + YEAR_CYCLE ? year + YEAR_CYCLE : year - YEAR_CYCLE;
  if (other > currentYear + 1) return `${code}, since the year 30 years later is still to come`;
  const [from, to] = [tables.layoutFrom[world.layout] ?? OPEN_FROM, tables.layoutTo[world.layout] ?? OPEN_TO];
  if (fit(from, to, other) === 0) return `${code}; the layout of the maker was in use ${spanOf(from, to)}`;
  if (fit(world.productionFrom, world.productionTo, other) === 0) return `${code}${builtOf(world)}`;
  return `${code} rather than ${other}, according to the rows`;
}

function builtOf({ productionFrom: from, productionTo: to }: Reading['world']): string {
  return from === OPEN_FROM && to === OPEN_TO ? '' : `; built ${spanOf(from, to)}, according to the rows`;
}

function spanOf(from: number, to: number): string {
  if (from === OPEN_FROM) return `up to ${to}`;
  return to === OPEN_TO ? `from ${from}` : `from ${from} to ${to}`;
}

/**
 * Names the evidence for one of the two years of position 10, in words. Position 7 decides for cars and light trucks
 * only.
 */
function noteOnCycle({ vin, yearCode, modelYear }: VehicleReport, { basis, pass, other }: Reading): string {
  const code = `position 10 is ${yearCode}`;
  const year = modelYear ?? pass?.year ?? 0;
  const wmi = vin.slice(0, 3) + (vin.charAt(2) === '9' ? vin.slice(11, 14) : '');
  const seventh = vin.charAt(6);
  const cycle = `position 7 is ${seventh}, ${/\d/.test(seventh) ? 'a digit: up to 2009' : 'a letter: from 2010'}, under 49 CFR 565`;
  switch (basis) {
    case 'light-truck':
      return `${code}; the model is a light truck, and ${cycle}`;
    case 'position-7':
      return `${code}; ${cycle}`;
    case 'open': {
      const [earlier, later] = [pass?.year ?? 0, other?.year ?? 0].toSorted((a, b) => a - b);
      return `${code}: ${earlier} or ${later}; position 7 gives the cycle of cars and light trucks only, and nothing else tells it`;
    }
    case 'window':
      return `${code}: ${year}, since the year 30 years later is still to come`;
    case 'schemas':
      return `${code}; NHTSA has rows of WMI ${wmi} for ${year}, and none for the year 30 years apart`;
    case 'wmi':
      return `${code}; WMI ${wmi} was in use in ${year}, and not 30 years apart`;
    case 'keys':
      return `${code}; the maker filed characters like this VIN's for ${year}, and not for the year 30 years apart`;
    case 'caller':
      return `${code}; the caller knows the year`;
    default:
      return code;
  }
}
