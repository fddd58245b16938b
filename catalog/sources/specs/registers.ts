import type { SpecMarket } from '@marque/decoder/format';

import type { SpecRow } from '../../src/specs/columns.ts';
import { defined } from './epa.ts';
import type { RecordFormat } from './records.ts';

type Values = Omit<Partial<SpecRow>, 'make' | 'model' | 'from' | 'to'>;

/** What a record of a register says of one vehicle or variant, in its own names. */
export interface RegisterEntry {
  make: string;
  model: string;
  from: number;
  to: number;
  values: Values;
}

/** How an official register is read. What it says is a variant's; what is a vehicle's own (plates, distances) is not read. */
export interface Register {
  title: string;
  market: SpecMarket;
  licence: string;
  format: RecordFormat;
  /** Columns without which the file is another one. */
  columns: readonly string[];
  /** Entries fewer than this are slips of a clerk's pen. */
  fewest: number;
  /** The entry, or why the record is not taken, in words. */
  read(text: (column: string) => string): RegisterEntry | string;
}

/** The European mass in running order counts a driver of 75 kg (Regulation (EU) 2018/858), a curb weight does not. */
const DRIVER_KG = 75;

function number(text: string, scale = 1): number | undefined {
  const value = Math.round(Number(text.replace(',', '.')) * scale);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

function less(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : value - by;
}

/** Cars are registered in the year that they were built or in the next. */
function sinceYearBefore(year: number): { from: number; to: number } {
  return { from: year - 1, to: year };
}

function geared(kind: string | undefined, speeds: string): string | undefined {
  const count = Number(speeds);
  return kind === undefined || kind.includes('CVT') || !(count > 1 && count < 13) ? kind : `${kind}, ${count}-speed`;
}

const TRAFICOM_FUELS: ReadonlyMap<string, string> = new Map([
  ['01', 'Gasoline'],
  ['02', 'Diesel'],
  ['04', 'Electric'],
  ['39', 'Plug-in hybrid'],
  ['44', 'Plug-in hybrid'],
]);

const TRAFICOM_GEARBOXES: ReadonlyMap<string, string> = new Map([
  ['1', 'Manual'],
  ['2', 'Automatic'],
  ['3', 'Automatic, CVT'],
]);

const traficom: Register = {
  title: 'Finnish vehicle register (Traficom)',
  market: 'europe',
  licence: 'CC BY 4.0',
  format: { separator: ';', encoding: 'windows-1252' },
  columns: ['ajoneuvoluokka', 'kayttoonottopvm', 'merkkiSelvakielinen', 'kaupallinenNimi', 'suurinNettoteho'],
  fewest: 3,
  read(text) {
    if (!/^[MN]1G?$/.test(text('ajoneuvoluokka'))) return 'neither a car nor a light van';
    const year = Number(text('kayttoonottopvm').slice(0, 4));
    if (!(year >= 1990)) return 'no date of first use since 1990';
    const fuel = TRAFICOM_FUELS.get(text('kayttovoima'));
    const hybrid = text('sahkohybridi') === 'true';
    const values = defined({
      fuel: hybrid && fuel === 'Gasoline' ? 'Hybrid' : fuel,
      cc: number(text('iskutilavuus')),
      cylinders: number(text('sylintereidenLkm')),
      gearbox: geared(TRAFICOM_GEARBOXES.get(text('vaihteisto')), text('vaihteidenLkm')),
      // The power of a hybrid's engine is not the car's.
      powerKw: hybrid || fuel === 'Plug-in hybrid' ? undefined : number(text('suurinNettoteho')),
      lengthMm: number(text('ajonKokPituus')),
      widthMm: number(text('ajonLeveys')),
      heightMm: number(text('ajonKorkeus')),
      curbKg: less(number(text('omamassa')), DRIVER_KG),
      grossKg: number(text('teknSuurSallKokmassa')),
    });
    return {
      make: text('merkkiSelvakielinen'),
      model: text('kaupallinenNimi'),
      ...sinceYearBefore(year),
      values,
    };
  },
};

const EEA_FUELS: ReadonlyMap<string, string> = new Map([
  ['petrol', 'Gasoline'],
  ['diesel', 'Diesel'],
  ['electric', 'Electric'],
  ['petrol/electric', 'Plug-in hybrid'],
  ['diesel/electric', 'Plug-in hybrid'],
  ['lpg', 'Gasoline/LPG'],
  ['ng', 'Gasoline/CNG'],
  ['e85', 'Flex fuel'],
  ['hydrogen', 'Hydrogen'],
]);

const eea: Register = {
  title: 'Monitoring of CO2 emissions from passenger cars (European Environment Agency)',
  market: 'europe',
  licence: 'CC BY 4.0',
  format: {},
  columns: ['Mk', 'Cn', 'Ft', 'ec (cm3)', 'ep (KW)', 'year'],
  fewest: 3,
  read(text) {
    const year = Number(text('year'));
    if (!(year >= 2010)) return 'no year since 2010';
    const fuel = EEA_FUELS.get(text('Ft').toLowerCase());
    if (fuel === undefined) return 'no known fuel';
    const hybrid = text('Fm') === 'H' && (fuel === 'Gasoline' || fuel === 'Diesel');
    const values = defined({
      fuel: hybrid ? 'Hybrid' : fuel,
      cc: number(text('ec (cm3)')),
      powerKw: hybrid || fuel === 'Plug-in hybrid' ? undefined : number(text('ep (KW)')),
      wheelbaseMm: number(text('W (mm)')),
      curbKg: less(number(text('m (kg)')), DRIVER_KG),
    });
    return { make: text('Mk'), model: text('Cn'), ...sinceYearBefore(year), values };
  },
};

const MM_PER_CM = 10;

const rdw: Register = {
  title: 'Dutch vehicle register (RDW)',
  market: 'europe',
  licence: 'CC0',
  format: {},
  columns: ['merk', 'handelsbenaming', 'voertuigsoort', 'datum_eerste_toelating', 'wielbasis'],
  fewest: 3,
  read(text) {
    if (text('voertuigsoort') !== 'Personenauto') return 'no passenger car';
    const year = Number(text('datum_eerste_toelating').slice(0, 4));
    if (!(year >= 1990)) return 'no first admission since 1990';
    const values = defined({
      cc: number(text('cilinderinhoud')),
      cylinders: number(text('aantal_cilinders')),
      wheelbaseMm: number(text('wielbasis'), MM_PER_CM),
      lengthMm: number(text('lengte'), MM_PER_CM),
      widthMm: number(text('breedte'), MM_PER_CM),
      heightMm: number(text('hoogte_voertuig'), MM_PER_CM),
      curbKg: number(text('massa_ledig_voertuig')),
      grossKg: number(text('toegestane_maximum_massa_voertuig')),
    });
    return { make: text('merk'), model: text('handelsbenaming'), ...sinceYearBefore(year), values };
  },
};

const cvs: Register = {
  title: 'Canadian Vehicle Specifications (Transport Canada)',
  market: 'north-america',
  licence: 'Open Government Licence - Canada',
  format: {},
  columns: ['MAKE', 'MODEL', 'MYR', 'OL', 'WB'],
  fewest: 1,
  read(text) {
    const year = Number(text('MYR'));
    if (!(year >= 1980)) return 'no model year';
    const values = defined({
      lengthMm: number(text('OL'), MM_PER_CM),
      widthMm: number(text('OW'), MM_PER_CM),
      heightMm: number(text('OH'), MM_PER_CM),
      wheelbaseMm: number(text('WB'), MM_PER_CM),
      curbKg: number(text('CW')),
    });
    return { make: text('MAKE'), model: text('MODEL'), from: year, to: year, values };
  },
};

/** The registers that an operator may import, by the word for them. */
export const REGISTERS = { traficom, eea, rdw, cvs } as const satisfies Record<string, Register>;

export type RegisterName = keyof typeof REGISTERS;
