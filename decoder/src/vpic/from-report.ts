import { ELEMENT } from '../vpic-elements.ts';
import type { VpicFacts, VpicNamed } from './facts.ts';
import type { VpicRow } from './view.ts';

const KW_PER_HP = 0.745699872;
const MM_PER_INCH = 25.4;
const LB_PER_KG = 2.204_622_62;

/** NHTSA's variables for each field of the report: all of them are replaced when the field is set. */
const ELEMENTS_OF: ReadonlyMap<string, readonly number[]> = new Map([
  ['manufacturer', [ELEMENT.make]],
  ['model', [ELEMENT.model]],
  ['modelYear', [ELEMENT.modelYear]],
  ['trim', [ELEMENT.trim]],
  ['vehicleType', [ELEMENT.vehicleType]],
  ['bodyStyle', [ELEMENT.body]],
  ['specs.fuelType', [ELEMENT.fuel, ELEMENT.secondFuel, ELEMENT.electrification]],
  ['specs.driveType', [ELEMENT.drive]],
  ['specs.transmission', [ELEMENT.transmission, ELEMENT.speeds]],
  ['specs.powerKw', [ELEMENT.powerKw, ELEMENT.powerHp, ELEMENT.powerHpTo]],
  ['specs.displacementCc', [ELEMENT.displacementCc, ELEMENT.displacementCi, ELEMENT.displacementL]],
  ['specs.batteryCapacityKwh', [ELEMENT.batteryKwh, ELEMENT.batteryKwhTo]],
  ['specs.plantCity', [ELEMENT.city]],
  ['specs.plantCountry', [ELEMENT.country]],
  ['technicalSpecs.wheelbaseMm', [ELEMENT.wheelbaseInches, ELEMENT.wheelbaseInchesTo]],
  ['technicalSpecs.curbWeightKg', [ELEMENT.curbWeightLb]],
]);

/** NHTSA's words for ours, if no part of them is the same. */
const NHTSA_WORDS: ReadonlyMap<string, string> = new Map([
  ['four-wheel drive', '4-wheel drive'],
  ['automatic, cvt', 'cvt'],
  ['automatic, e-cvt', 'e-cvt'],
  ['automatic, dual-clutch', 'dct'],
  ['automatic, single-speed', 'direct drive'],
  ['automated manual', 'amt'],
  ['flex fuel', 'flexible fuel vehicle'],
  ['multipurpose passenger vehicle', 'mpv'],
  ['low-speed vehicle', 'lsv'],
  ['off-road vehicle', 'off road vehicle'],
]);

/** NHTSA's level of electrification for our fuels. */
const LEVELS: ReadonlyMap<string, string> = new Map([
  ['Electric', 'BEV'],
  ['Plug-in hybrid', 'PHEV'],
]);

/** Returns the ids of NHTSA's variables for a field of the report; none if NHTSA has no such variable. */
export function vpicElementsOf(path: string): readonly number[] {
  return ELEMENTS_OF.get(path) ?? [];
}

/**
 * Returns NHTSA's variables for a value of a field of the report, in NHTSA's own words and numbers if it has any. A
 * word that NHTSA does not have stays as it is, without a number.
 */
export function vpicRowsOf(path: string, value: string | number, facts: VpicFacts): VpicRow[] {
  if (typeof value === 'number') return numberRows(path, value);
  const [element] = vpicElementsOf(path);
  if (element === undefined) return [];
  switch (path) {
    case 'manufacturer':
      return [[element, value.toUpperCase()]];
    case 'vehicleType': {
      const type = find(facts.vehicleTypes(), value);
      return [rowOf(element, (type?.name ?? value).toUpperCase(), type?.id)];
    }
    case 'specs.fuelType':
      return fuelRows(value, facts);
    case 'specs.transmission':
      return transmissionRows(value, facts);
    case 'bodyStyle':
    case 'specs.driveType':
    case 'specs.plantCountry': {
      const known = find(facts.valuesOf(element), value);
      return [rowOf(element, known?.name ?? value, known?.id)];
    }
    default:
      return [[element, value]];
  }
}

function numberRows(path: string, value: number): VpicRow[] {
  switch (path) {
    case 'specs.powerKw':
      return [
        [ELEMENT.powerKw, String(value)],
        [ELEMENT.powerHp, String(Math.round(value / KW_PER_HP))],
      ];
    case 'specs.displacementCc':
      return [
        [ELEMENT.displacementCc, value.toFixed(1)],
        [ELEMENT.displacementL, (value / 1000).toFixed(1)],
      ];
    case 'specs.batteryCapacityKwh':
      return [[ELEMENT.batteryKwh, String(value)]];
    case 'technicalSpecs.wheelbaseMm':
      return [[ELEMENT.wheelbaseInches, (value / MM_PER_INCH).toFixed(1)]];
    case 'technicalSpecs.curbWeightKg':
      return [[ELEMENT.curbWeightLb, String(Math.round(value * LB_PER_KG))]];
    default:
      return [];
  }
}

/** Returns the variables of a fuel. That of a hybrid does not follow from its name. */
function fuelRows(value: string, facts: VpicFacts): VpicRow[] {
  const rows: VpicRow[] = [];
  const fuel = find(facts.valuesOf(ELEMENT.fuel), value);
  if (fuel !== undefined) rows.push([ELEMENT.fuel, fuel.name, fuel.id]);
  const level = find(facts.valuesOf(ELEMENT.electrification), LEVELS.get(value) ?? '');
  if (level !== undefined) rows.push([ELEMENT.electrification, level.name, level.id]);
  return rows;
}

/** Splits "Automatic, 8-speed" into a kind and its number of speeds. */
function transmissionRows(value: string, facts: VpicFacts): VpicRow[] {
  const [, kind = value, speeds] = /^(.*?)(?:, (\d+)-speed)?$/.exec(value) ?? [];
  const style = find(facts.valuesOf(ELEMENT.transmission), kind);
  const rows: VpicRow[] = [rowOf(ELEMENT.transmission, style?.name ?? kind, style?.id)];
  if (speeds !== undefined) rows.push([ELEMENT.speeds, speeds]);
  return rows;
}

function rowOf(element: number, value: string, id: number | undefined): VpicRow {
  return id === undefined ? [element, value] : [element, value, id];
}

/** Returns the only value of this name: whole, by a part between slashes, or by the text in brackets. */
function find(values: readonly VpicNamed[], word: string): VpicNamed | undefined {
  const wanted = NHTSA_WORDS.get(word.toLowerCase()) ?? word.toLowerCase();
  if (wanted === '') return undefined;
  const [found, ...others] = values.filter(({ name }) => namesIn(name).includes(wanted));
  return others.length === 0 ? found : values.find(({ name }) => name.toLowerCase() === wanted);
}

/**
 * Returns the names in a value: "AWD/All-Wheel Drive" is also "awd" and "all-wheel drive"; "Sport Utility Vehicle
 * (SUV)" is "suv" too.
 */
function namesIn(name: string): string[] {
  const text = name.toLowerCase().trim();
  const parts = text.split('/').map((part) => part.trim());
  const inBrackets = Array.from(text.matchAll(/\(([^)]+)\)/g), ([, inner = '']) => inner);
  const outside = parts.map((part) => part.replace(/\s*\([^)]*\)/g, ''));
  return [text, ...parts, ...outside, ...inBrackets];
}
