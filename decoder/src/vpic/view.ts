import type { Faults } from './errors.ts';
import { descriptorOf, type VpicDecoder } from './decode.ts';
import type { VpicDecode } from './outcome.ts';
import { ORIGIN, type Pass } from './pass.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import type { VpicScratch } from './scratch.ts';
import { ELEMENT, MULTI_VALUED_ELEMENTS } from '../vpic-elements.ts';
import type { VpicTables } from './tables.ts';

/** One element as NHTSA's decoder gives it, with NHTSA's number of the value where it looks values up. */
export type VpicRow = [elementId: number, value: string, valueId?: number];

/** A VIN that needs no more than the decode of a whole one. */
const WHOLE = /^[^*]{17}$/;

const TEXT_LIMIT = 500;
/** The value with the number 0 in every lookup table of NHTSA's that has it. */
const NOT_APPLICABLE = 'Not Applicable';
const OFF_ROAD_CODE = 10;
const OFF_ROAD_NOTE =
  ' NOTE: Disregard if this is an off-road vehicle PIN, as check digit calculation may not be accurate.';
const INCOMPLETE_WARNING =
  'Incomplete Vehicle Warning - Please be advised that the vehicle may have been altered and may not be an accurate representation of the vehicle in its current condition.';
const YEAR_WARNING =
  'The Model Year decoded for this VIN may be incorrect. If you know the Model year, please enter it and decode again to get more accurate information.';

/**
 * Decodes a VIN as NHTSA's own procedures do: elements, values and error codes, for those who need parity.
 * Texts of errors are NHTSA's.
 */
export function vpicView(
  decoder: VpicDecoder,
  { vin, codes, modelYear }: { vin: string; codes: VinCodes; modelYear: number | undefined },
  currentYear: number,
  scratch: VpicScratch,
): VpicRow[] {
  const decode =
    modelYear === undefined && WHOLE.test(vin)
      ? decoder.decode(vin, codes, currentYear, scratch)
      : decoder.query(vin, codes, currentYear, modelYear, scratch);
  const faults = decoder.faultsOf(vin, codes, decode);
  const rows = errorRows(decoder.tables, vin, decode, faults);
  if (decode.pass.wmi >= 0) rows.push(...vehicleRows(decoder.tables, vin, decode.pass));
  return rows;
}

function errorRows(tables: VpicTables, vin: string, decode: VpicDecode, faults: Faults): VpicRow[] {
  const offRoad = faults.codes.includes(OFF_ROAD_CODE);
  const texts = faults.codes.map((code) => {
    const text = tables.errors.get(code)?.text ?? '';
    return code === 1 && offRoad ? text + OFF_ROAD_NOTE : text;
  });
  return [
    [ELEMENT.suggestedVin, faults.suggestedVin],
    [ELEMENT.descriptor, descriptorOf(vin)],
    [ELEMENT.errorText, texts.join('; ').slice(0, TEXT_LIMIT)],
    [ELEMENT.additionalErrorText, additionalText(tables, vin, decode, faults)],
    [ELEMENT.possibleValues, faults.possibleValues],
    [ELEMENT.errorCode, faults.codes.join(',')],
  ];
}

function additionalText(tables: VpicTables, vin: string, decode: VpicDecode, faults: Faults): string {
  const parts: string[] = [];
  for (const code of faults.codes) {
    const more = tables.errors.get(code)?.more ?? '';
    if (more !== '') parts.push(more);
  }
  if (faults.unusedPositions.length > 0) parts.push(`Unused position(s): ${faults.unusedPositions.join(',')}.`);
  if (faults.illegalPositions.length > 0) {
    const list = faults.illegalPositions.map((position) => `${position}:${vin.charAt(position - 1)}`);
    parts.push(`Invalid character(s): ${list.join(', ')}.`);
  }
  if (faults.incomplete) parts.push(INCOMPLETE_WARNING);
  if (!decode.conclusive) parts.push(YEAR_WARNING);
  return parts.join(' ').slice(0, TEXT_LIMIT);
}

function vehicleRows(tables: VpicTables, vin: string, pass: Pass): VpicRow[] {
  const { strings } = tables;
  const rows: VpicRow[] = [];
  if (pass.year !== 0) rows.push([ELEMENT.modelYear, String(pass.year)]);
  const make = makeOf(tables, pass);
  if (make !== '') rows.push([ELEMENT.make, make.toUpperCase()]);
  const manufacturer = strings.get(tables.wmiManufacturer[pass.wmi] ?? 0).toUpperCase();
  rows.push([ELEMENT.manufacturer, manufacturer, tables.wmiManufacturerId[pass.wmi] ?? 0]);
  const typeId = tables.wmiType[pass.wmi] ?? 0;
  const type = tables.vehicleTypeText[typeId] ?? 0;
  if (type !== 0) rows.push([ELEMENT.vehicleType, strings.get(type), typeId]);
  const present = new Set<number>();
  for (let index = 0; index < pass.touchedCount; index++) {
    const element = pass.touched[index] ?? 0;
    if (pass.origin[element] === ORIGIN.none) continue;
    present.add(element);
    rows.push(rowOf(element, textOf(tables, vin, pass, element), idOf(tables, pass, element)));
  }
  for (const { element, value } of pass.extras) {
    present.add(element);
    rows.push(rowOf(element, tables.text(element, value), tables.valueIdOf(element, value)));
  }
  rows.push(...conversionRows(tables, pass, present));
  for (const row of vehicleSpecRows(tables, pass, rows)) {
    present.add(row[0]);
    rows.push(row);
  }
  for (const { element, text } of tables.defaults.get(tables.wmiType[pass.wmi] ?? 0) ?? []) {
    if (present.has(element)) continue;
    const value = strings.get(text);
    rows.push(rowOf(element, value, value === NOT_APPLICABLE ? 0 : undefined));
  }
  return rows.filter(([element]) => tables.elementShown[element] === 1 || element === ELEMENT.make);
}

function rowOf(element: number, value: string, valueId: number | undefined): VpicRow {
  return valueId === undefined ? [element, value] : [element, value, valueId];
}

function idOf(tables: VpicTables, pass: Pass, element: number): number | undefined {
  return pass.origin[element] === ORIGIN.digits ? undefined : tables.valueIdOf(element, pass.value[element] ?? 0);
}

/** Returns the make as vPIC has it: of the model that won, else the only make of the WMI. */
function makeOf(tables: VpicTables, pass: Pass): string {
  if (pass.has(ELEMENT.model)) return tables.strings.get(tables.modelMake[pass.value[ELEMENT.model] ?? 0] ?? 0);
  const start = tables.wmiMakesStart[pass.wmi] ?? 0;
  if ((tables.wmiMakesStart[pass.wmi + 1] ?? 0) - start !== 1) return '';
  return tables.strings.get(tables.wmiMakes[start] ?? 0);
}

/** Returns the text of an element; digits of the VIN if its row is of digits. */
function textOf(tables: VpicTables, vin: string, pass: Pass, element: number): string {
  if (pass.origin[element] !== ORIGIN.digits) return tables.text(element, pass.value[element] ?? 0);
  const digits = tables.keyDigits.get(tables.entryKey[pass.entry[element] ?? 0] ?? 0) ?? { from: 0, to: 0 };
  return (vin.slice(3, 8) + vin.slice(9)).slice(digits.from, digits.to + 1);
}

/** The six conversions in the order of their ids; see catalog's table of conversions. */
const CONVERSIONS = [
  { from: ELEMENT.displacementCc, to: ELEMENT.displacementCi },
  { from: ELEMENT.displacementCi, to: ELEMENT.displacementCc },
  { from: ELEMENT.displacementCc, to: ELEMENT.displacementL },
  { from: ELEMENT.displacementL, to: ELEMENT.displacementCc },
  { from: ELEMENT.displacementCi, to: ELEMENT.displacementL },
  { from: ELEMENT.displacementL, to: ELEMENT.displacementCi },
] as const;

/**
 * Converts displacements into those that are missing (docs/vpic-procedures.md 1.4.9): newer rows convert first, nothing
 * is overwritten.
 */
function conversionRows(tables: VpicTables, pass: Pass, present: Set<number>): VpicRow[] {
  const sources = [ELEMENT.displacementCc, ELEMENT.displacementCi, ELEMENT.displacementL]
    .filter((element) => present.has(element) && pass.origin[element] !== ORIGIN.digits)
    .toSorted(
      (a, b) =>
        (pass.priority[b] ?? 0) - (pass.priority[a] ?? 0) ||
        (tables.displacementChanged.get(pass.row[b] ?? -1) ?? 0) -
          (tables.displacementChanged.get(pass.row[a] ?? -1) ?? 0),
    );
  const rows: VpicRow[] = [];
  for (const source of sources) {
    for (const [index, { from, to }] of CONVERSIONS.entries()) {
      if (from !== source || present.has(to)) continue;
      present.add(to);
      rows.push([to, tables.strings.get(tables.conversions[index]?.[pass.value[from] ?? 0] ?? 0)]);
    }
  }
  return rows;
}

/**
 * Returns the values that NHTSA's specifications of the model add (docs/vpic-procedures.md 1.4.10): elements that have
 * no value yet, and more values of those that may have several. If specifications differ, NHTSA's service takes the
 * first attribute in the order of texts.
 */
function vehicleSpecRows(tables: VpicTables, pass: Pass, decoded: readonly VpicRow[]): VpicRow[] {
  if (!pass.has(ELEMENT.model)) return [];
  const makes = new Set(tables.wmiMakes.subarray(tables.wmiMakesStart[pass.wmi], tables.wmiMakesStart[pass.wmi + 1]));
  const vehicle = {
    model: pass.value[ELEMENT.model] ?? 0,
    type: tables.wmiType[pass.wmi] ?? 0,
    year: pass.year,
    makes,
  };
  const found = new Map<string, { row: VpicRow; attribute: string }>();
  const present = new Set(decoded.map(([element]) => element));
  const values = tables.vehicleSpecs.valuesOf(vehicle, ({ element, value }) => {
    const [text, id] = [tables.text(element, value).toLowerCase(), tables.valueIdOf(element, value)];
    return decoded.some(
      ([other, otherText, otherId]) =>
        other === element &&
        (id === undefined || otherId === undefined ? otherText.toLowerCase() === text : otherId === id),
    );
  });
  for (const { element, value } of values) {
    const isMultiValued = (MULTI_VALUED_ELEMENTS as readonly number[]).includes(element);
    if (present.has(element) && !isMultiValued) continue;
    const row = rowOf(element, tables.text(element, value), tables.valueIdOf(element, value));
    const attribute = String(row[2] ?? row[1]);
    const key = isMultiValued ? `${element} ${attribute}` : String(element);
    const held = found.get(key);
    if (held === undefined || attribute < held.attribute) found.set(key, { row, attribute });
  }
  return [...found.values()].map(({ row }) => row);
}
