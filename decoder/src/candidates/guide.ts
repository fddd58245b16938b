import { BODY_STYLES } from '../report/report.ts';
import type { Strings } from '../catalog/strings.ts';
import type { WorldGuide } from '../world/reader.ts';
import { FIELD, type WorldReading } from '../world/reading.ts';
import type { WorldTables } from '../world/tables.ts';
import { agreesWithHint, type HintName, type Hints } from './hints.ts';

/** The world's fields that hints can give. */
const HINTED = [
  ['fuelType', FIELD.fuelType],
  ['displacementCc', FIELD.displacementCc],
  ['powerKw', FIELD.powerKw],
  ['bodyStyleNormalized', FIELD.body],
  ['driveType', FIELD.driveType],
  ['transmission', FIELD.transmission],
] as const satisfies readonly (readonly [HintName, number])[];

/** Makes hints narrow the facts that a VIN matches. */
export function guideOf(hints: Hints, tables: WorldTables, strings: Strings): WorldGuide {
  const textOf = (field: number, value: number): string | number => {
    if (field === FIELD.body) return BODY_STYLES[value] ?? '';
    return field === FIELD.displacementCc || field === FIELD.powerKw ? value : strings.get(value);
  };
  return {
    year: hints.modelYear ?? hints.registrationYear ?? 0,
    isRegistration: hints.modelYear === undefined,
    narrow(reading) {
      for (const [name, field] of HINTED) {
        const hint = hints[name];
        if (hint === undefined) continue;
        const named = factsSaying(tables, reading, field, (value) => textOf(field, value) === hint);
        // If facts have the exact word, near matches are other vehicles.
        const fits = named
          ? (value: number): boolean => textOf(field, value) === hint
          : (value: number): boolean => agreesWithHint(name, hint, textOf(field, value));
        keepFacts(tables, reading, field, fits);
      }
    },
  };
}

function factsSaying(
  tables: WorldTables,
  reading: WorldReading,
  field: number,
  matches: (value: number) => boolean,
): boolean {
  for (let index = 0; index < reading.factCount; index++) {
    const value = outputOf(tables, reading.facts[index] ?? 0, field);
    if (value >= 0 && matches(value)) return true;
  }
  return false;
}

/** Drops the facts whose value of a field does not fit, unless none with a value would be left. */
function keepFacts(tables: WorldTables, reading: WorldReading, field: number, fits: (value: number) => boolean): void {
  if (!factsSaying(tables, reading, field, fits)) return;
  let kept = 0;
  for (let index = 0; index < reading.factCount; index++) {
    const fact = reading.facts[index] ?? 0;
    const value = outputOf(tables, fact, field);
    if (value < 0 || fits(value)) reading.facts[kept++] = fact;
  }
  reading.factCount = kept;
}

function outputOf(tables: WorldTables, fact: number, field: number): number {
  const { factOutputs, outputStart, outputField, outputValue } = tables;
  const outputs = factOutputs[fact] ?? 0;
  for (let at = outputStart[outputs] ?? 0; at < (outputStart[outputs + 1] ?? 0); at++) {
    if (outputField[at] === field) return outputValue[at] ?? -1;
  }
  return -1;
}
