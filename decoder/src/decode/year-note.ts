import { OPEN_FROM, OPEN_TO } from '../report/world-fields.ts';
import type { VehicleReport } from '../report/report.ts';
import type { Reading } from './reading.ts';

/** Explains why a report has its model year, or none, in words. */
export function noteOnYear(report: VehicleReport, reading: Reading): string | undefined {
  if (reading.pass !== null) return noteOnCycle(report, reading);
  const { productionFrom: from, productionTo: to } = reading.world;
  if (from === OPEN_FROM && to === OPEN_TO) {
    return report.modelYear === undefined
      ? 'the VIN does not contain it'
      : 'the year in which the layout of the maker was in use';
  }
  return `built ${from || '?'} to ${to === OPEN_TO ? 'today' : to}, according to the rows`;
}

/**
 * Names the evidence for one of the two years of position 10, in words. Position 7 decides for cars and light trucks
 * only.
 */
function noteOnCycle({ vin, yearCode, modelYear }: VehicleReport, { basis, pass, other }: Reading): string {
  const code = `position 10 is ${yearCode}`;
  const year = modelYear ?? pass?.year ?? 0;
  const wmi = vin.slice(0, vin.charAt(2) === '9' ? 2 : 3);
  switch (basis) {
    case 'light-truck':
    case 'position-7': {
      const seventh = vin.charAt(6);
      const meaning = /\d/.test(seventh) ? 'a digit: up to 2009' : 'a letter: from 2010';
      return `${code}; position 7 is ${seventh}, ${meaning}, under 49 CFR 565`;
    }
    case 'open': {
      const [earlier, later] = [pass?.year ?? 0, other?.year ?? 0].toSorted((a, b) => a - b);
      return `${code}: ${earlier} or ${later}; position 7 tells the cycle of cars and light trucks only, and nothing else tells it`;
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
