import type { TableRow } from './columns.ts';
import { dropUndefined } from './drop-undefined.ts';
import { bodyLabel, driveLabel } from './labels.ts';
import type { WorldOutputs, WorldRow } from './model.ts';
import { formatPattern, parsePattern, type PositionSet } from './pattern.ts';
import type { ReadRow } from './table.ts';

/**
 * The model rows of a table row: one for each alternative of its code and for each WMI that it names.
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
        outputs,
        confidence: row.confidence,
        source: row.source,
        origin,
      });
    }
  }
  return rows;
}

/** The positions that a `positions` cell names, in its order: "4+7-8" is 4, 7, 8. */
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

function toOutputs(row: TableRow): WorldOutputs {
  const { body } = row;
  const label = row.body_label ?? (body === undefined ? undefined : bodyLabel(body, row.doors));
  const outputs: { [K in keyof WorldOutputs]: WorldOutputs[K] | undefined } = {
    make: row.make,
    model: row.model,
    modelCode: row.model_code,
    generation: row.generation,
    trim: row.trim,
    body,
    bodyLabel: label,
    vehicleType: row.vehicle_type,
    fuelType: row.fuel,
    engine: row.engine,
    engineCode: row.engine_code,
    cylinders: row.cylinders,
    displacementCc: row.cc,
    powerKw: row.kw,
    batteryCapacityKwh: row.battery_kwh,
    driveType: row.drive === undefined ? undefined : driveLabel(row.drive),
    transmission: row.transmission,
    emissionsStandard: row.emissions,
    market: row.market,
    plantCity: row.plant_city,
    plantCountry: row.plant_country,
    modelYear: row.model_year,
  };
  dropUndefined<WorldOutputs>(outputs);
  return outputs;
}
