import { defined } from '../specs/epa.ts';
import { bodiesOfCode } from './bodies.ts';
import { DRIVER_KG, euroNorm, less, number, register, registeredIn } from './register.ts';

/** Codes of "propulsión". Gas is filed under several, so it stays open. */
const FUELS: ReadonlyMap<string, string> = new Map([
  ['0', 'Gasoline'],
  ['1', 'Diesel'],
  ['2', 'Electric'],
]);

/** Codes of kinds of vehicles, of those without a European category: van, mixed van, off-roader, car. */
const CARS = /^(?:20|21|25|40)$/;

/** The record of the registrations as the directorate describes it: 714 characters. */
const LAYOUT = [
  ['FEC_MATRICULA', 8],
  ['COD_CLASE_MAT', 1],
  ['FEC_TRAMITACION', 8],
  ['MARCA_ITV', 30],
  ['MODELO_ITV', 22],
  ['COD_PROCEDENCIA_ITV', 1],
  ['BASTIDOR_ITV', 21],
  ['COD_TIPO', 2],
  ['COD_PROPULSION_ITV', 1],
  ['CILINDRADA_ITV', 5],
  ['POTENCIA_ITV', 6],
  ['TARA', 6],
  ['PESO_MAX', 6],
  // Places, marks of the vehicle, its owners and their places: passed over in one piece.
  ['', 53],
  ['FEC_PRIM_MATRICULACION', 8],
  ['IND_NUEVO_USADO', 1],
  ['', 48],
  ['KW_ITV', 7],
  ['', 180],
  ['MASA_ORDEN_MARCHA_ITV', 6],
  ['MASA_MAXIMA_TECNICA_ADMISIBLE_ITV', 6],
  ['CATEGORIA_HOMOLOGACION_EUROPEA_ITV', 4],
  ['CARROCERIA', 4],
  ['PLAZAS_PIE', 3],
  ['NIVEL_EMISIONES_EURO_ITV', 8],
  ['CONSUMO_WH_KM_ITV', 4],
  ['CLASIFICACION_REGLAMENTO_VEHICULOS_ITV', 4],
  ['CATEGORIA_VEHICULO_ELECTRICO', 4],
  ['AUTONOMIA_VEHICULO_ELECTRICO', 6],
  ['', 175],
  ['DISTANCIA_EJES_12_ITV', 4],
  ['', 72],
] as const;

export const spain = register({
  title: 'Spanish vehicle registrations (DGT)',
  publisher: 'Dirección General de Tráfico',
  market: 'europe',
  licence: 'CC BY 4.0',
  url: 'https://www.dgt.es/menusecundario/dgt-en-cifras/matraba-listados/',
  format: { separator: '\0', quotes: false },
  layout: LAYOUT,
  columns: {
    make: ['MARCA_ITV'],
    name: ['MODELO_ITV'],
    vin: ['BASTIDOR_ITV'],
    kind: ['COD_TIPO'],
    fuel: ['COD_PROPULSION_ITV'],
    cc: ['CILINDRADA_ITV'],
    power: ['KW_ITV'],
    running: ['MASA_ORDEN_MARCHA_ITV'],
    gross: ['MASA_MAXIMA_TECNICA_ADMISIBLE_ITV'],
    class: ['CATEGORIA_HOMOLOGACION_EUROPEA_ITV'],
    body: ['CARROCERIA'],
    euro: ['NIVEL_EMISIONES_EURO_ITV'],
    electric: ['CATEGORIA_VEHICULO_ELECTRICO'],
    wheelbase: ['DISTANCIA_EJES_12_ITV'],
    registered: ['FEC_MATRICULA'],
    first: ['FEC_PRIM_MATRICULACION'],
    isNew: ['IND_NUEVO_USADO'],
  },
  required: ['make', 'vin', 'cc', 'power'],
  fewest: 20,
  vinLengths: [10, 17],
  notTaken: [
    'Fuel and power of hybrids: mild ones are filed as hybrids, and the power of full ones is the engine’s alone.',
    'Power of electric cars: it may be that of 30 minutes.',
    'Gas as a fuel: it is filed under several codes.',
    'The empty weight: the mass in running order, less the driver, is the same and more often there.',
    'Owners, their places, leasing, seals and thefts: those fields are passed over unread.',
  ],
  read(text) {
    const kind = text('class');
    if (kind === '' ? !CARS.test(text('kind')) : !/^[MN]1G?$/.test(kind)) return 'neither a car nor a light van';
    const fuel = FUELS.get(text('fuel'));
    const electric = text('electric') === 'BEV' || fuel === 'Electric';
    const hybrid = text('electric') !== '' && !electric;
    return {
      make: text('make'),
      model: text('name'),
      vin: text('vin').replace(/\*+$/, ''),
      ...registeredIn(yearBehind(text('first') || (text('isNew') === 'N' ? text('registered') : ''))),
      bodies: bodiesOfCode(text('body')),
      values: defined({
        fuel: hybrid ? undefined : fuel,
        cc: number(text('cc')),
        powerKw: hybrid || electric ? undefined : number(text('power')),
        emissions: electric ? undefined : euroNorm(text('euro')),
        wheelbaseMm: number(text('wheelbase')),
        curbKg: less(number(text('running')), DRIVER_KG),
        grossKg: number(text('gross')),
      }),
    };
  },
});

/** Returns the year of 01092026: day, month and year. */
function yearBehind(date: string): number {
  return Number(/^\d{4}(\d{4})$/.exec(date)?.[1] ?? 0);
}
