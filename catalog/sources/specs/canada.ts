import type { BodyStyle } from '@marque/decoder';

import type { SpecRow } from '../../src/specs/columns.ts';
import { defined } from './epa.ts';
import type { Families } from './names.ts';
import { readRecords } from './records.ts';

const MM_PER_INCH = 25.4;

interface Body {
  style: BodyStyle | undefined;
  badge: string;
  lengthMm: number;
  widthMm: number;
  heightMm: number;
  wheelbaseMm: number;
}

/**
 * Reads outside dimensions from Transport Canada's Canadian Vehicle Specifications, as the tables of allcarsdb arrange
 * them: `body_configs.csv` and `ymm_body_configs.csv` (make, model, year, body). Their inches are whole centimeters at
 * the origin, so those are written.
 */
export async function readCanada(bodiesFile: string, linksFile: string, families: Families): Promise<SpecRow[]> {
  const bodies = new Map<string, Body>();
  for await (const record of readRecords(bodiesFile)) {
    const text = (name: string): string => record.get(name) ?? '';
    bodies.set(text('Ref'), {
      style: STYLES.get(text('Body_Style')),
      badge: [text('Cab_Config') === '' ? '' : `${text('Cab_Config')} cab`, doorsOf(text('Body_Style'), text('Doors'))]
        .filter(Boolean)
        .join(' '),
      lengthMm: millimeters(text('Length_in')),
      widthMm: millimeters(text('Width_in')),
      heightMm: millimeters(text('Height_in')),
      wheelbaseMm: millimeters(text('Wheelbase_in')),
    });
  }
  const models = new Map<string, Map<number, Set<Body>>>();
  for await (const record of readRecords(linksFile)) {
    const body = bodies.get(record.get('Body_Config_Ref') ?? '');
    if (body === undefined || !isPlausible(body)) continue;
    const key = `${record.get('Make')}|${soldAs(record)}`;
    const years = models.get(key) ?? new Map<number, Set<Body>>();
    models.set(key, years);
    const year = Number(record.get('Year'));
    years.set(year, (years.get(year) ?? new Set<Body>()).add(body));
  }
  const rows: SpecRow[] = [];
  for (const [key, years] of models) {
    const [make = '', model = ''] = key.split('|');
    for (const name of families.find(make, model)) {
      for (const [year, set] of years) {
        for (const body of withoutLeftovers(set, years.get(year - 1), years.get(year + 1))) {
          rows.push(toRow(name.make, name.model, name.badge, year, body));
        }
      }
    }
  }
  return rows;
}

function toRow(make: string, model: string, badge: string, year: number, body: Body): SpecRow {
  const { style, badge: kind, lengthMm, widthMm, heightMm, wheelbaseMm } = body;
  return {
    make,
    model,
    badge: [badge, kind].filter(Boolean).join(' '),
    from: year,
    to: year,
    ...defined({ body: style, lengthMm, widthMm, heightMm: heightMm || undefined, wheelbaseMm }),
  };
}

/**
 * Names under which a car was sold in Canada alone: make, Canadian name, first and last model year, name in the States.
 */
const CANADIAN_NAMES: readonly (readonly [string, string, number, number, string])[] = [
  ['Hyundai', 'Santa Fe', 2013, 2018, 'Santa Fe Sport'],
  ['Hyundai', 'Santa Fe Sport', 2013, 2018, 'Santa Fe Sport'],
  ['Hyundai', 'Santa Fe XL', 2013, 2019, 'Santa Fe'],
  ['Nissan', 'Qashqai', 2017, 2023, 'Rogue Sport'],
  ['Kia', 'Magentis', 2001, 2010, 'Optima'],
  ['Mitsubishi', 'RVR', 2011, 2024, 'Outlander Sport'],
];

function soldAs(record: ReadonlyMap<string, string>): string {
  const model = record.get('Model') ?? '';
  const year = Number(record.get('Year'));
  const name = CANADIAN_NAMES.find(
    ([make, canadian, from, to]) => record.get('Make') === make && canadian === model && from <= year && year <= to,
  );
  return name === undefined ? model : name[4];
}

/**
 * Drops the bodies of a generation that some lists carry one year too long: where one body ends in this year and
 * another of the same kind begins in it, the ending one is the leftover.
 */
function withoutLeftovers(
  bodies: ReadonlySet<Body>,
  before: ReadonlySet<Body> | undefined,
  after: ReadonlySet<Body> | undefined,
): Body[] {
  const ending = (body: Body): boolean => before?.has(body) === true && after?.has(body) !== true;
  const beginning = (body: Body): boolean => before?.has(body) !== true && after?.has(body) === true;
  const all = [...bodies];
  return all.filter((body) => !ending(body) || !all.some((other) => other.style === body.style && beginning(other)));
}

function millimeters(inches: string): number {
  return Math.round((Number(inches) * MM_PER_INCH) / 10) * 10;
}

/** Proportions that no road vehicle leaves: what does is a slip of the pen. */
function isPlausible({ lengthMm, widthMm, heightMm, wheelbaseMm }: Body): boolean {
  const share = wheelbaseMm / lengthMm;
  return (
    lengthMm >= 2400 &&
    share > 0.45 &&
    share < 0.95 &&
    widthMm >= 1400 &&
    widthMm <= 2150 &&
    (heightMm === 0 || (heightMm >= 1000 && heightMm <= 3000))
  );
}

const STYLES: ReadonlyMap<string, BodyStyle> = new Map([
  ['Convertible', 'cabrio'],
  ['Coupe', 'coupe'],
  ['Hatchback', 'hatchback'],
  ['Pickup', 'pickup'],
  ['SUV', 'suv'],
  ['Sedan', 'sedan'],
  ['Van', 'van'],
  ['Wagon', 'wagon'],
]);

function doorsOf(style: string, doors: string): string {
  return style === 'Hatchback' || style === 'SUV' ? doors && `${doors}dr` : '';
}
