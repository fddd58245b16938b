import { writeFileSync } from 'node:fs';

/** A car of `writeCzechRegister`. Nobody's WMI: all its values come from the register. */
export const OCTAVIA = 'XA17B5R10G1000001';
/** A text in the column about owners: no output may contain it. */
export const PRIVATE = 'Jan Novak';

const HEADER =
  'Datum 1. registrace,Kategorie vozidla,Tovární značka,VIN,Obchodní označení,Výrobce vozidla,' +
  '"Max. výkon [kW] / [min⁻¹]",Palivo,Zdvihový objem [cm³],Plně elektrické vozidlo,Hybridní vozidlo,Vlastník';

/** Writes a Czech register of cars that are all alike, and of one line that is cut; gives its path. */
export function writeCzechRegister(file: string, cars: number, cc: number): string {
  const lines = Array.from({ length: cars }, (_, car) => {
    const vin = `${OCTAVIA.slice(0, 11)}${String(car).padStart(6, '0')}`;
    return `02.04.2016,M1,ŠKODA,${vin},OCTAVIA,"ŠKODA AUTO, MLADÁ BOLESLAV",110 / 4000,NM,${cc},NE,NE,${PRIVATE}`;
  });
  writeFileSync(file, `\uFEFF${[HEADER, ...lines, '02.04.2016,M1,ŠKODA'].join('\r\n')}\r\n`);
  return file;
}
