import type { BodyStyle } from '@marque/decoder';

import type { SpecRow } from '../../src/specs/columns.ts';
import { badgeOf } from './epa-words.ts';
import { defined } from './epa.ts';
import type { Families, FamilyName } from './names.ts';
import { readRecords } from './records.ts';

/** The European mass in running order counts a driver of 75 kg (Regulation (EU) 2018/858), a curb weight does not. */
const DRIVER_KG = 75;
const BADGE_LENGTH = 40;
/** Marks mild hybrids. */
export const MILD = 'mHEV';

/**
 * Reads cars on sale in France in March 2014 from ADEME's "Emissions des véhicules commercialisés en France": power,
 * gearbox and mass by variant. Displacements are not in this edition. Years are 2013 to 2015, around the sale.
 */
export async function readAdeme2014(file: string, families: Families): Promise<SpecRow[]> {
  const rows: SpecRow[] = [];
  for await (const record of readRecords(file)) {
    const text = (name: string): string => record.get(name) ?? '';
    const fuel = FUELS_2014.get(text('fuel'));
    // For an electric car the list has the power of half an hour, and every gearbox without steps is its "V".
    const hybrid = fuel === 'Hybrid' || fuel === 'Plug-in hybrid';
    const electric = fuel === 'Electric';
    const mass = Number(text('massInRunningOrderKg'));
    for (const name of namesOf(families, text('make'), text('model'), text('description'))) {
      rows.push({
        make: name.make,
        model: name.model,
        badge: shortBadge(text('description')),
        from: 2013,
        to: 2015,
        ...defined({
          body: bodyOf(name.make, text('body'), text('description')),
          fuel,
          gearbox: electric ? undefined : gearboxOf(text('gearbox').charAt(0), text('gearbox').slice(2)),
          powerKw: hybrid || electric ? undefined : rounded(text('powerKw')),
          curbKg: mass > 0 ? mass - DRIVER_KG : undefined,
        }),
      });
    }
  }
  return rows;
}

/** Cars on sale in France in early 2024 from ADEME's Car Labelling: displacement, power, gearbox and empty weight. */
export async function readAdemeLabels(file: string, families: Families): Promise<SpecRow[]> {
  const rows: SpecRow[] = [];
  for await (const record of readRecords(file, { separator: ';' })) {
    const text = (name: string): string => (record.get(name) ?? '').replace(',', '.');
    const mildFuel = isMild(text) ? MILD_FUELS_2024.get(text('Energie')) : undefined;
    const fuel = mildFuel ?? FUELS_2024.get(text('Energie'));
    const plain = fuel !== 'Hybrid' && fuel !== 'Plug-in hybrid' && fuel !== 'Electric';
    for (const name of namesOf(families, text('Marque'), text('Libellé modèle'), text('Description Commerciale'))) {
      rows.push({
        make: name.make,
        model: name.model,
        badge: shortBadge(text('Description Commerciale'), mildFuel === undefined ? '' : MILD),
        from: 2023,
        to: 2025,
        ...defined({
          body: bodyOf(name.make, text('Carrosserie'), text('Description Commerciale')),
          fuel,
          cc: rounded(text('Cylindrée')),
          gearbox: gearboxOf(GEARBOXES.get(text('Type de boite')) ?? '', text('Nombre rapports')),
          powerKw: plain ? rounded(text('Puissance maximale')) : undefined,
          curbKg: rounded(text('Poids à vide')),
        }),
      });
    }
  }
  return rows;
}

/**
 * Returns the rows, each only for the years of the generations of its family that were sold in the list's year: a car
 * on sale in 2014 does not represent an Octavia of 2013, when the one before was sold, too.
 */
export function ofSameGenerations(rows: readonly SpecRow[], generations: readonly SpecRow[], year: number): SpecRow[] {
  const families = Map.groupBy(generations, ({ make, model }) => `${make}|${model}`);
  return rows.flatMap((row) => {
    const known = families.get(`${row.make}|${row.model}`) ?? [];
    const own = known.find(({ generation }) => generation === row.generation);
    if (own !== undefined) return withinLife(row, own);
    const ofYear = new Set(known.filter((one) => isSold(one, row, year)));
    const isAlike = (other: number): boolean => known.every((one) => isSold(one, row, other) === ofYear.has(one));
    let { from, to } = row;
    while (from < year && !isAlike(from)) from++;
    while (to > year && !isAlike(to)) to--;
    return [{ ...row, from, to }];
  });
}

/** Returns the row in the years in which its own generation was sold, as far as another list knows them. */
function withinLife(row: SpecRow, life: SpecRow): SpecRow[] {
  const [from, to] = [Math.max(row.from, life.from), Math.min(row.to, life.to)];
  return from <= to ? [{ ...row, from, to }] : [];
}

/** Returns true if a generation may be the row's in a year: one that is listed for another body is not. */
function isSold({ body, from, to }: SpecRow, row: SpecRow, year: number): boolean {
  return from <= year && year <= to && (body === undefined || row.body === undefined || body === row.body);
}

/** Matches the names of a car with all wheels driven. */
export const ALL_WHEELS = /\b(?:4[x*]4|4WD|AWD|4M|quattro|4Motion|xDrive|4MATIC|All mode)\b/i;

/**
 * Returns the beginning of a description, with its word for all wheels driven, and before it a word that it leaves
 * unsaid.
 */
function shortBadge(description: string, word = ''): string {
  const badge = badgeOf(description);
  const short = (badge.includes(word) ? badge : `${word} ${badge}`).slice(0, BADGE_LENGTH).trimEnd();
  const drive = ALL_WHEELS.exec(description)?.[0];
  return drive === undefined || ALL_WHEELS.test(short) ? short : `${short} ${drive}`;
}

/** Returns the families of a model's name; of the description where the name is that of a whole range ("SERIE X"). */
function namesOf(families: Families, make: string, model: string, description: string): FamilyName[] {
  const found = families.find(make, model);
  return found.length > 0 ? found : families.find(make, description);
}

function rounded(text: string): number | undefined {
  const value = Math.round(Number(text));
  return value > 0 ? value : undefined;
}

/** Returns the gearbox by ADEME's letters: M mechanical, A automatic, D two clutches, V continuously variable. */
function gearboxOf(letter: string, speeds: string): string | undefined {
  const count = Number(speeds);
  if (letter === 'V') return 'Automatic, CVT';
  const kind = letter === 'M' ? 'Manual' : letter === 'A' || letter === 'D' ? 'Automatic' : undefined;
  if (kind === undefined) return undefined;
  return count > 1 ? `${kind}, ${count}-speed` : kind;
}

const GEARBOXES: ReadonlyMap<string, string> = new Map([
  ['MECANIQUE', 'M'],
  ['AUTOMATIQUE', 'A'],
  ['VARIATION CONTINUE', 'V'],
]);

const FUELS_2014: ReadonlyMap<string, string> = new Map([
  ['ES', 'Gasoline'],
  ['GO', 'Diesel'],
  ['EL', 'Electric'],
  ['EH', 'Hybrid'],
  ['GH', 'Hybrid'],
  ['EE', 'Plug-in hybrid'],
  ['GL', 'Plug-in hybrid'],
  ['ES/GP', 'Gasoline/LPG'],
  ['ES/GN', 'Gasoline/CNG'],
  ['GN', 'CNG'],
  ['FE', 'Flex fuel'],
]);

/**
 * Returns true if the motor of a hybrid without a plug only helps the engine: up to 8 kW. Full ones have 24 kW and
 * more; between them are motors of both kinds, whose rating is sometimes that of half an hour.
 */
function isMild(text: (name: string) => string): boolean {
  const motor = text('Puissance nominale électrique');
  return motor !== '' && Number(motor) <= 8;
}

/** Fuels of mild hybrids without a plug: neither a VIN nor its name distinguishes one from the car without a motor. */
const MILD_FUELS_2024: ReadonlyMap<string, string> = new Map([
  ['ESS+ELEC HNR', 'Gasoline'],
  ['GAZ+ELEC HNR', 'Diesel'],
]);

/** "HNR": not chargeable, which is a mild hybrid or a full one; "HR": chargeable. */
const FUELS_2024: ReadonlyMap<string, string> = new Map([
  ['ESSENCE', 'Gasoline'],
  ['GAZOLE', 'Diesel'],
  ['ELECTRIC', 'Electric'],
  ['ESS+ELEC HNR', 'Hybrid'],
  ['GAZ+ELEC HNR', 'Hybrid'],
  ['ELEC+ESSENC HR', 'Plug-in hybrid'],
  ['ELEC+GAZOLE HR', 'Plug-in hybrid'],
  ['ESS+G.P.L.', 'Gasoline/LPG'],
  ['SUPERETHANOL', 'Flex fuel'],
]);

/**
 * Returns the body of a car: the list's word, except that BMW and Mercedes-Benz name it in the description. Their
 * BERLINE is a sedan, and the list has some of their wagons and hatchbacks as such, and sedans as wagons.
 */
function bodyOf(make: string, listed: string, description: string): BodyStyle | undefined {
  if (!NAMING_BODIES.has(make) || !DOUBTED.has(listed)) return BODIES.get(listed);
  return NAMED_BODIES.find(([word]) => word.test(description))?.[1] ?? BODIES.get(listed);
}

const NAMING_BODIES: ReadonlySet<string> = new Set(['BMW', 'Mercedes-Benz']);

const DOUBTED: ReadonlySet<string> = new Set(['BERLINE', 'BREAK']);

const NAMED_BODIES: readonly (readonly [RegExp, BodyStyle])[] = [
  [/\bGran Turismo\b|\b[35]P\b/i, 'hatchback'],
  [/\b(?:Touring|Break|Shooting Brake)\b/i, 'wagon'],
  [/\bCabriolet\b/i, 'cabrio'],
  [/\b(?:Berline|Limousine)\b/i, 'sedan'],
];

const BODIES: ReadonlyMap<string, BodyStyle> = new Map([
  ['BREAK', 'wagon'],
  ['CABRIOLET', 'cabrio'],
  ['COUPE', 'coupe'],
  ['TS TERRAINS/CHEMINS', 'suv'],
  ['MINIBUS', 'van'],
  ['COMBISPACE', 'van'],
  ['MONOSPACE', 'van'],
  ['MONOSPACE COMPACT', 'van'],
]);
