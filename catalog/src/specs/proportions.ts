import type { SpecRow } from './columns.ts';

/** Returns impossible combinations of a vehicle's values, whatever the source, in words. */
export function proportionFaults(row: SpecRow): string[] {
  const faults: string[] = [];
  const { lengthMm, wheelbaseMm, curbKg, grossKg, cc, powerKw, charged, cargoL, cargoMaxL } = row;
  if (row.make === '') faults.push('the make is empty');
  if (row.model === '') faults.push('the model is empty');
  if (row.from > row.to) faults.push(`the years ${row.from} to ${row.to} run backwards`);
  if (lengthMm !== undefined && wheelbaseMm !== undefined) {
    const share = wheelbaseMm / lengthMm;
    if (share <= 0.45 || share >= 0.95) faults.push(`a wheelbase of ${wheelbaseMm} mm at a length of ${lengthMm} mm`);
  }
  if (curbKg !== undefined && grossKg !== undefined && curbKg >= grossKg) {
    faults.push(`a curb weight of ${curbKg} kg at a gross weight of ${grossKg} kg`);
  }
  if (cargoL !== undefined && cargoMaxL !== undefined && cargoL > cargoMaxL) {
    faults.push(`a luggage space of ${cargoL} l with the seats up and ${cargoMaxL} l with them folded`);
  }
  if (cc !== undefined && powerKw !== undefined) {
    // From the most economical diesel to a charged engine of a supercar; electric motors beside it are in the car's
    // power.
    const perLiter = powerKw / (cc / 1000);
    const most = charged === 1 || row.fuel === 'Diesel' ? 200 : 260;
    if (perLiter < 14 || perLiter > most) faults.push(`${powerKw} kW from ${cc} cc`);
  }
  return faults;
}
