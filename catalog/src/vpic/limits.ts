import type { VpicTables } from './tables.ts';

/** The data outgrew the catalog's format, whose numbers are as small as the data allows. Nothing was written. */
export class FormatLimitError extends Error {
  override name = 'FormatLimitError';
}

/** Checks a limit. @throws FormatLimitError when there is more of something than the format has room for. */
export function checkLimit(what: string, count: number, room: number): void {
  if (count <= room) return;
  throw new FormatLimitError(
    `vPIC has ${count} ${what}; the catalog's format has room for ${room}. Marque must be updated.`,
  );
}

/**
 * Checks the limits of the format that the tables show at once; keys, values and ranks are checked as they are counted.
 */
export function checkLimits(tables: VpicTables): void {
  // One number is kept back for "none" among three-character WMIs.
  checkLimit('WMIs', tables.wmis.length, 0xfffe);
  checkLimit('schemas', tables.schemas.size, 0x10000);
  let [element, vehicleType, truckType] = [0, 0, 0];
  for (const { vehicleType: type, truckType: truck } of tables.wmis) {
    vehicleType = Math.max(vehicleType, type);
    truckType = Math.max(truckType, truck);
  }
  const { patterns } = tables;
  for (let row = 0; row < patterns.count; row++) element = Math.max(element, patterns.element[row] ?? 0);
  for (const row of tables.engineModelPatterns) element = Math.max(element, row.element);
  for (const { keys, values } of tables.vehicleSpecs) {
    for (const row of [...keys, ...values]) element = Math.max(element, row.element);
  }
  checkLimit('as the highest element', element, 0xff);
  checkLimit('as the highest vehicle type', vehicleType, 0x1f);
  checkLimit('as the highest truck type', truckType, 0xff);
}
