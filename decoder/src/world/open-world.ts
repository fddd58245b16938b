import type { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { BODY_STYLES } from '../report/report.ts';
import { VinCodes } from '../vin/vin-codes.ts';
import { NUMERIC_WORLD_FIELDS, TENTHS, WORLD_FIELDS } from '../report/world-fields.ts';
import { WorldReader, WorldScratch } from './reader.ts';
import { FIELD } from './reading.ts';
import { WorldTables } from './tables.ts';
import { WmiTables } from './wmi-tables.ts';

/** The values of the world's facts alone for a VIN: for comparing the compiled facts with their plain interpreter. */
export interface PlainReading {
  layout: string;
  outputs: Record<string, string | number>;
  possibleBodies: string[];
}

/** Opens only the world's facts of a catalog. */
export function openWorld(container: Container, currentYear: number): (vin: string) => PlainReading | undefined {
  const strings = new Strings(container);
  const tables = new WorldTables(container);
  const reader = new WorldReader(tables, new WmiTables(container, strings));
  const scratch = new WorldScratch();
  const codes = new VinCodes();
  return (vin) => {
    codes.read(vin);
    const reading = reader.read({ vin, codes, latestYear: currentYear + 1, scratch });
    if (reading.layout < 0) return undefined;
    const outputs: Record<string, string | number> = {};
    for (const name of WORLD_FIELDS) {
      const field = FIELD[name];
      if (!reading.has(field) || name === 'modelYear') continue;
      const value = reading.value[field] ?? 0;
      if (name === 'body') outputs[name] = BODY_STYLES[value] ?? 'unknown';
      else if (name === 'batteryCapacityKwh') outputs[name] = value / TENTHS;
      else outputs[name] = NUMERIC_WORLD_FIELDS.has(name) ? value : strings.get(value);
    }
    if (reading.modelYear !== 0) outputs['modelYear'] = reading.modelYear;
    const layout = strings.get(tables.layoutId[reading.layout] ?? 0);
    return { layout, outputs, possibleBodies: reading.bodies.map((body) => BODY_STYLES[body] ?? 'unknown') };
  };
}
