import { formatPattern, parsePattern, type PositionSet } from '@marque/decoder';

import type { TableRow } from './columns.ts';
import { bodyLabel, driveLabel } from '../values/labels.ts';
import type { WorldOutputs, WorldRow } from './model.ts';
import type { ReadRow } from './table.ts';

/**
 * Returns the model rows of a table row: one for each alternative of its code and for each WMI that it names.
 *
 * @throws SyntaxError when the code does not fit the positions.
 */
export function toWorldRows({ origin, row }: ReadRow): WorldRow[] {
  const outputs = toOutputs(row);
  const positions = readPositions(row.positions);
  const rows: WorldRow[] = [];
  for (const code of row.code.split('|')) {
    for (const wmi of row.wmi?.split('|') ?? [undefined]) {
      rows.push({
        pattern: patternOf(positions, code, wmi),
        years: [row.from ?? null, row.to ?? null],
        ...(row.serial_from === undefined ? {} : { serial: [row.serial_from, row.serial_to ?? 'ZZZZZ'] as const }),
        ...(row.with_generation === undefined ? {} : { guard: { generation: row.with_generation } }),
        ...(row.layout !== undefined && { layout: row.layout }),
        outputs,
        ...(row.groups !== undefined && { learned: true }),
        confidence: row.confidence,
        source: row.source,
        origin,
      });
    }
  }
  return rows;
}

/** Returns the positions that a `positions` cell names, in its order: "4+7-8" is 4, 7, 8. */
function readPositions(cell: string): number[] {
  const positions: number[] = [];
  for (const part of cell.split('+')) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let position = first; position <= last; position++) positions.push(position);
  }
  return positions;
}

function patternOf(positions: readonly number[], code: string, wmi: string | undefined): string {
  const sets = parsePattern(code);
  if (sets.length !== positions.length) {
    throw new SyntaxError(`code "${code}" has ${sets.length} characters for ${positions.length} positions`);
  }
  const pattern: PositionSet[] = Array.from({ length: 17 }, () => undefined);
  for (const [index, position] of positions.entries()) {
    if (position < 1 || position > 17) throw new SyntaxError(`a VIN has no position ${position}`);
    pattern[position - 1] = sets[index];
  }
  for (const [index, character] of [...(wmi ?? '')].entries()) pattern[index] = character;
  return formatPattern(pattern);
}

/**
 * Copies field by field rather than through a table of names: with half a million cells this is where the time goes.
 */
function toOutputs(row: TableRow): WorldOutputs {
  const outputs: WorldOutputs = {};
  if (row.make !== undefined) outputs.make = row.make;
  if (row.model !== undefined) outputs.model = row.model;
  if (row.model_code !== undefined) outputs.modelCode = row.model_code;
  if (row.generation !== undefined) outputs.generation = row.generation;
  if (row.trim !== undefined) outputs.trim = row.trim;
  if (row.body !== undefined) outputs.body = row.body;
  const label = row.body_label ?? (row.body === undefined ? undefined : bodyLabel(row.body, row.doors));
  if (label !== undefined) outputs.bodyLabel = label;
  if (row.vehicle_type !== undefined) outputs.vehicleType = row.vehicle_type;
  if (row.fuel !== undefined) outputs.fuelType = row.fuel;
  if (row.engine !== undefined) outputs.engine = row.engine;
  if (row.engine_code !== undefined) outputs.engineCode = row.engine_code;
  if (row.cylinders !== undefined) outputs.cylinders = row.cylinders;
  if (row.cc !== undefined) outputs.displacementCc = row.cc;
  if (row.kw !== undefined) outputs.powerKw = row.kw;
  if (row.battery_kwh !== undefined) outputs.batteryCapacityKwh = row.battery_kwh;
  if (row.drive !== undefined) outputs.driveType = driveLabel(row.drive);
  if (row.transmission !== undefined) outputs.transmission = row.transmission;
  if (row.emissions !== undefined) outputs.emissionsStandard = row.emissions;
  if (row.market !== undefined) outputs.market = row.market;
  if (row.plant_city !== undefined) outputs.plantCity = row.plant_city;
  if (row.plant_country !== undefined) outputs.plantCountry = row.plant_country;
  if (row.model_year !== undefined) outputs.modelYear = row.model_year;
  return outputs;
}
