import type { VehicleReport } from '@marque/decoder';

import type { SpecRow } from '../../specs/columns.ts';
import { proportionFaults } from '../../specs/proportions.ts';
import { isPlant, trimExceptions } from '../../values/index.ts';

/** A decoded car that has something one would not print: where, and what. */
export interface Finding {
  vin: string;
  what: string;
}

/** Returns the fault of a report; undefined: none. */
type Rule = (report: VehicleReport) => string | undefined;

/** The words for kinds of vehicles. */
const VEHICLE_TYPES: ReadonlySet<string> = new Set([
  'Passenger car',
  'SUV',
  'Van',
  'Pickup',
  'Truck',
  'Bus',
  'Motorcycle',
  'Trailer',
  'Machine',
  'Off-road vehicle',
  'Low-speed vehicle',
  'Incomplete vehicle',
]);

/** Bodies that a passenger car has. */
const CAR_BODIES: ReadonlySet<string> = new Set(['sedan', 'wagon', 'hatchback', 'coupe', 'cabrio', 'unknown', 'other']);

/** Values that are names, of which each is one. */
const NAMES = ['trim', 'modelCode', 'generation', 'bodyStyle', 'vehicleType', 'plant'] as const;

/** Countries that build cars with a WMI of this first character. */
const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  '1': ['United States', 'Canada', 'Mexico'],
  '2': ['Canada'],
  '3': ['Mexico'],
  '4': ['United States', 'Canada', 'Mexico'],
  '5': ['United States', 'Canada', 'Mexico'],
  '7': ['United States'],
  J: ['Japan'],
};

/**
 * WMIs that are given to cars that another works builds: Graz and Osnabrück for Chrysler, Hangzhou for Lincoln,
 * Valencia for Mazda.
 */
const BUILT_ABROAD: Readonly<Record<string, readonly string[]>> = {
  '1A8': ['Austria'],
  '1C3': ['Austria', 'Germany'],
  '1C8': ['Austria'],
  '1J8': ['Austria'],
  '5LM': ['China'],
  JMZ: ['Spain'],
};

/** Soviet cars that people call by their number as often as by their name. */
const KNOWN_BY_NUMBER = / (?:Niva|Volga|GAZelle|Tavriya|Slavuta|Volyn|Sobol)$/;

/** Texts that list, rank or describe trims rather than name one. */
const NO_TRIM =
  /^-|^\d{2} [A-Z]|^\d{3}$|^(?:[Ee]xtra )?[Ll]ong$|[^\d ] +[AFR24]WD$|\b(?:[Aa]ll [Tt]rims|[Ll]evel|[Ss]pecification|SPEC \d|xxx|[Aa]irbags?|[Cc]yl|[Pp]kg|[Pp]roject)\b/;

/** Matches makers' names of an estate, a coupe or a cabriolet: the body, which has a field of its own. */
const BODY_FOR_TRIM = /^(?:Variant|Caravan|SW|CW|CC|TwinTop|Coupé)$/;

/** Matches a trim with all-wheel drive, in the makers' words. */
const ALL_WHEELS = /\b(?:AWD|4WD|4x4|xDrive|4MATIC|quattro|4Motion|ALL4|SH-AWD)\b|^\d{3}L?xi\b/;

/** A trim that is the driven wheels, or starts with them, and how heavy trucks are configured. */
const DRIVE_FOR_TRIM =
  /^(?:[xs]Drive|quattro|4Motion|4MATIC|AWD|FWD|RWD|[24]WD|e-AWD|SH-(?:E-)?AWD)(?:$| (?=\p{L}))|\b\d+x\d+\b|\bxxx\b/iu;

/** Matches the driven wheels in an engine line: they have a field of their own. */
const DRIVE_IN_ENGINE = /\b(?:AWD|FWD|RWD|4WD|4x4|xDrive|quattro|4Motion)\b/i;

/** Makes that have sold no hybrids since 2021 but mild ones, which burn gasoline, and those with a plug. */
const MILD_ONLY = /^(?:Audi|BMW|Genesis|Jaguar|Land Rover|MINI|Volvo) 202[1-6]$/;

/** Until this year the numbers of Mercedes-Benz's badges were the sizes of the engines. */
const LAST_SIZED_BADGES = 2009;

/** Bodies as trims name them, with the bodies of a car of that trim. */
const BODY_WORDS: readonly (readonly [word: RegExp, bodies: readonly string[]])[] = [
  [/\b(?:Convertible|Cabriolet|Roadster)\b/, ['cabrio']],
  [/\bCoupe\b/, ['coupe', 'hatchback', 'sedan', 'suv']],
  [/\bSedan\b/, ['sedan']],
  [/\b(?:Wagon|Touring Wagon)\b/, ['wagon']],
];

/** Exceptions for each make's trims, from `facts/values/trims.csv`. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  trimExceptions().map(({ make, text, trim }) => [`${make}|${text}`, trim]),
);

const RULES: readonly Rule[] = [
  ({ model, trim, generation }) =>
    model === undefined && (trim ?? generation) !== undefined ? `"${trim ?? generation}" without a model` : undefined,
  (report) => NAMES.map((name) => noteIn(name, report[name])).find((fault) => fault !== undefined),
  ({ model }) => (/[()[\]?;,]/.test(model ?? '') ? `a note in the model "${model}"` : undefined),
  ({ model = '' }) =>
    /^\d{4,6} \p{Lu}\p{Ll}/u.test(model) && !KNOWN_BY_NUMBER.test(model)
      ? `a works number before the name "${model}"`
      : undefined,
  (report) =>
    (['model', 'trim', 'plant', 'bodyStyle'] as const)
      .map((name) => repetitionIn(name, report[name]) ?? capitalsIn(name, report[name]))
      .find((fault) => fault !== undefined),
  ({ trim = '' }) =>
    [NO_TRIM, DRIVE_FOR_TRIM, BODY_FOR_TRIM].some((text) => text.test(trim)) ? `no trim: "${trim}"` : undefined,
  ({ model, trim }) => (trim !== undefined && trim === model ? `the trim "${trim}" is the model` : undefined),
  ({ manufacturer, model = '', trim = '' }) => {
    const written = EXCEPTIONS.get(`${manufacturer}|${trim.toLowerCase()}`);
    if (written !== undefined && written !== trim)
      return `facts/values/trims.csv writes the trim "${trim}" as "${written}"`;
    const last = /(?<= )\p{L}{3,}$/u.exec(model)?.[0];
    return last !== undefined && `${trim} `.startsWith(`${last} `)
      ? `"${last}" ends the model and starts the trim`
      : undefined;
  },
  ({ trim = '', bodyStyleNormalized: body }) =>
    BODY_WORDS.some(([word, bodies]) => word.test(trim) && body !== 'unknown' && !bodies.includes(body))
      ? `a ${body} of the trim "${trim}"`
      : undefined,
  ({ trim = '', specs }) =>
    ALL_WHEELS.test(trim) && /^(?:Front|Rear)-wheel drive$/.test(specs?.driveType ?? '')
      ? `a car of ${specs?.driveType} with the trim "${trim}"`
      : undefined,
  ({ manufacturer, modelYear, trim = '', specs = {} }) => {
    if (manufacturer !== 'Mercedes-Benz' || !(Number(modelYear) <= LAST_SIZED_BADGES)) return undefined;
    const { displacementCc: cc = 0, fuelType, engine = '' } = specs;
    const named = Number(/^[A-Z]{1,3} (\d{3})(?= 4MATIC$|$)/.exec(trim)?.[1] ?? 0) * 10;
    // Charged engines of four cylinders have badges of larger ones.
    if (named === 0 || cc === 0 || fuelType !== 'Gasoline' || /\bI4\b|4-cylinder/.test(engine)) return undefined;
    return Math.abs(cc - named) > 0.15 * named ? `an engine of ${cc} cc with the trim "${trim}"` : undefined;
  },
  ({ manufacturer, specs }) => {
    const engine = specs?.engine ?? '';
    return (['Subaru', 'Porsche'].includes(manufacturer ?? '') && /\bI6\b|^2\.5 L I4\b/.test(engine)) ||
      /\bI6 \(\d(?:MZ|GR|VZ)-/.test(engine)
      ? `cylinders in line in the engine "${engine}"`
      : undefined;
  },
  ({ modelYear, specs }) => {
    const engine = specs?.engine ?? '';
    // Until the nineties there were sixes of two liters.
    return Number(modelYear) > 2010 && /^(?:1\.\d|2\.0) L (?:[IV]?[68]\b|[68]-)|^[5-9]\.\d L (?:I4|4-)/.test(engine)
      ? `cylinders that the size does not have in the engine "${engine}"`
      : undefined;
  },
  ({ modelCode, generation }) => {
    if (modelCode === undefined) return undefined;
    if (modelCode === generation) return `the model code ${modelCode} is the generation`;
    return /^[A-Z0-9][A-Z0-9.+-]*$/.test(modelCode) ? undefined : `the model code "${modelCode}" is no works code`;
  },
  ({ bodyStyleNormalized: body, bodyStyle, vehicleType: type }) => {
    if (type === undefined) return undefined;
    if (!VEHICLE_TYPES.has(type)) return `"${type}" is no word for a kind of vehicle`;
    if (bodyStyle === 'Minivan') return type === 'Van' ? 'a minivan is a passenger car' : undefined;
    return type === 'Passenger car' && !CAR_BODIES.has(body) ? `a ${body} is no passenger car` : undefined;
  },
  ({ specs }) => {
    const engine = specs?.engine ?? '';
    if (/\((?![A-Z0-9-]+\))|\/(?!(?:CNG|LPG)\b)|\?|assumed|label/i.test(engine))
      return `a note or an alternative in the engine "${engine}"`;
    if (DRIVE_IN_ENGINE.test(engine)) return `driven wheels in the engine "${engine}"`;
    if (/\bV[34]\b/.test(engine)) return `a layout that no car of today has in the engine "${engine}"`;
    return /^\d+ kW$/.test(engine) ? `the engine "${engine}" is only a power` : undefined;
  },
  ({ specs = {}, technicalSpecs: { curbWeightKg: curbKg, grossWeightKg: grossKg, ...size } = {} }) => {
    const { cargoVolumeLiters: cargoL, cargoVolumeMaxLiters: cargoMaxL, lengthMm, wheelbaseMm } = size;
    const { displacementCc: cc, powerKw } = specs;
    const known = { lengthMm, wheelbaseMm, curbKg, grossKg, cargoL, cargoMaxL, cc, powerKw };
    const said = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
    return proportionFaults({ make: 'x', model: 'x', from: 0, to: 0, fuel: specs.fuelType ?? '', ...said })[0];
  },
  ({ manufacturer, modelYear, model = '', trim = '', specs }) => {
    const { fuelType, transmission = '', displacementCc, powerKw, engine } = specs ?? {};
    if (
      fuelType === 'Hybrid' &&
      /\b(?:PHEV|Plug-[Ii]n|4xe|Energi|E-Hybrid|[2-7]\d\d ?d?e)\b|\bPrime$|\bQ\d e$/.test(`${trim} ${model}`)
    )
      return `a hybrid without a plug with the name "${model} ${trim}"`;
    if (fuelType === 'Gasoline' && /\b(?:Active)?Hybrid\b/.test(`${trim} ${model}`))
      return `a gasoline car with the name "${model} ${trim}"`;
    if (fuelType === 'Hybrid' && MILD_ONLY.test(`${manufacturer} ${modelYear}`))
      return `a ${manufacturer} hybrid that is neither mild nor has a plug`;
    if (fuelType === 'Plug-in hybrid' && /single-speed/.test(transmission)) return 'a plug-in hybrid with one speed';
    if (fuelType !== 'Electric') return undefined;
    if (displacementCc !== undefined) return 'an electric car with a displacement';
    if (/CVT|dual-clutch|Manual/.test(transmission)) return `an electric car with the gearbox "${transmission}"`;
    return powerKw !== undefined && engine === undefined
      ? 'an electric car of known power without an engine line'
      : undefined;
  },
  ({ plant, vehicleType, specs }) => {
    if (plant === undefined || vehicleType === 'Trailer') return undefined;
    const { plantCity: city = '', plantCountry: country = '' } = specs ?? {};
    return isPlant({ city, country }) ? undefined : `facts/values/plants.csv has no plant "${plant}"`;
  },
  ({ wmi, specs, vehicleType }) => {
    const country = specs?.plantCountry;
    const own = COUNTRIES[wmi.charAt(0)];
    if (country === undefined || own === undefined || vehicleType === 'Trailer') return undefined;
    return own.includes(country) || BUILT_ABROAD[wmi]?.includes(country) === true
      ? undefined
      : `a plant in ${country} for the WMI ${wmi}`;
  },
];

function noteIn(name: string, value: string | undefined): string | undefined {
  const own = (value ?? '').replace(/\bR\/T\b/g, '');
  return /[()[\]?;+]|\/| or /.test(own) ? `a note or an alternative in the ${name} "${value}"` : undefined;
}

function repetitionIn(name: string, value: string | undefined): string | undefined {
  return /(?<![\p{L}\d])([\p{L}\d]{2,})[ ,-]+\1(?![\p{L}\d])/iu.test(value ?? '')
    ? `a word twice in the ${name} "${value}"`
    : undefined;
}

function capitalsIn(name: string, value: string | undefined): string | undefined {
  return /(?<![\p{L}\d-])\p{Lu}{5,}(?![\p{L}\d])/u.test(value ?? '') ? `capitals in the ${name} "${value}"` : undefined;
}

/** Returns the faults of each report by itself. */
export function lintReport(report: VehicleReport): Finding[] {
  return RULES.flatMap((rule) => {
    const what = rule(report);
    return what === undefined ? [] : [{ vin: report.vin, what }];
  });
}

/** Years by which a car may be beside its generation's: lists name years of sale, VINs model years. */
const SLACK_YEARS = 2;

/**
 * Finds reports whose model year is outside the years of their generation; South America builds some for decades
 * longer.
 */
export function outsideGeneration(reports: Iterable<VehicleReport>, generations: readonly SpecRow[]): Finding[] {
  const lives = Map.groupBy(generations, ({ make, model, generation }) => `${make} ${model} ${generation}`);
  return [...reports].flatMap(({ vin, region, manufacturer, model, generation, modelYear }) => {
    const rows = lives.get(`${manufacturer} ${model} ${generation}`);
    const year = Number(modelYear);
    if (rows === undefined || modelYear === undefined || region === 'South America') return [];
    if (rows.some(({ from, to }) => from - SLACK_YEARS <= year && year <= to + SLACK_YEARS)) return [];
    return [{ vin, what: `a ${manufacturer} ${model} ${generation} of ${year}` }];
  });
}

const COMPARED = ['manufacturer', 'model', 'trim', 'generation', 'bodyStyle', 'vehicleType', 'plant'] as const;

/** Names that a make writes otherwise from market to market: the S-10 of the United States is not Brazil's S10. */
const TWO_NAMES: ReadonlySet<string> = new Set(['Chevrolet|model|s10']);

/** Returns values of a make that differ only in case, accents, blanks, hyphens or the order of their alternatives. */
export function variants(reports: Iterable<VehicleReport>): string[] {
  const spellings = new Map<string, Set<string>>();
  for (const report of reports) {
    for (const name of COMPARED) {
      const value = report[name];
      if (value === undefined) continue;
      const alternatives = value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().split(' / ').toSorted();
      const key = [report.manufacturer, name, ...alternatives.map((text) => text.replaceAll(/[ -]/g, ''))].join('|');
      if (TWO_NAMES.has(key)) continue;
      spellings.set(key, (spellings.get(key) ?? new Set()).add(value));
    }
  }
  return [...spellings.values()].filter(({ size }) => size > 1).map((values) => [...values].toSorted().join(', '));
}

/** Reports of passenger cars of a model that the others know with bodies of no passenger car only. */
export function mistakenKinds(reports: readonly VehicleReport[]): Finding[] {
  const bodies = Map.groupBy(
    reports.filter(({ model, bodyStyleNormalized: body }) => model !== undefined && body !== 'unknown'),
    ({ manufacturer, model }) => `${manufacturer} ${model}`,
  );
  return reports.flatMap(({ vin, manufacturer, model, bodyStyleNormalized: body, vehicleType, possibleBodyStyles }) => {
    const known = bodies.get(`${manufacturer} ${model}`) ?? [];
    if (vehicleType !== 'Passenger car' || body !== 'unknown' || possibleBodyStyles !== undefined) return [];
    if (known.length < LEAST_OF_MODEL || known.some((other) => CAR_BODIES.has(other.bodyStyleNormalized))) return [];
    return [{ vin, what: `a ${manufacturer} ${model} is no passenger car` }];
  });
}

/** The number of reports of a model that are taken to show its bodies. */
const LEAST_OF_MODEL = 5;
