import type { Specs, TechnicalSpecs } from '@marque/decoder';

import type { Scored } from './tally.ts';

const SPECS = [
  'engine',
  'fuelType',
  'transmission',
  'driveType',
  'powerKw',
  'displacementCc',
  'batteryCapacityKwh',
  'emissionsStandard',
  'market',
  'plantCountry',
] as const satisfies readonly (keyof Specs)[];

const TECHNICAL = [
  'lengthMm',
  'widthMm',
  'heightMm',
  'wheelbaseMm',
  'curbWeightKg',
  'grossWeightKg',
  'groundClearanceMm',
  'cargoVolumeLiters',
  'cargoVolumeMaxLiters',
] as const satisfies readonly (keyof TechnicalSpecs)[];

const SMALLEST_GROUP = 20;

/**
 * Returns the share of a set's VINs with each technical field, by groups (region and decade if none are given), as
 * Markdown.
 */
export function coverageTable(
  scored: readonly Scored[],
  groupOf: (scored: Scored) => string = regionAndDecade,
): string {
  const groups = groupsOf(scored, groupOf);
  const batteryCars = groups.map(([name, members]): Group => [name, members.filter(isBatteryCar)]);
  const rows = [
    ...SPECS.map((field) => row(field, groups, ({ report }) => report.specs?.[field] !== undefined)),
    row(
      'batteryCapacityKwh of battery cars',
      batteryCars,
      ({ report }) => report.specs?.batteryCapacityKwh !== undefined,
    ),
    ...TECHNICAL.map((field) => row(field, groups, ({ report }) => report.technicalSpecs?.[field] !== undefined)),
  ];
  return ['### Technical fields: share of VINs that have each', '', ...headOf('field', groups), ...rows].join('\n');
}

/** Decoded fields by which tables of specifications are joined. */
const SETTLED: readonly (readonly [name: string, has: (report: Scored['report']) => boolean])[] = [
  ['model', ({ model }) => model !== undefined],
  ['generation', ({ generation }) => generation !== undefined],
  ['model year', ({ modelYear }) => modelYear !== undefined],
  ['body', hasBody],
  ['fuel', ({ specs }) => specs?.fuelType !== undefined],
  ['fuel and displacement, or electric', hasEngine],
  ['the same and generation', (report) => hasEngine(report) && report.generation !== undefined],
  ['the same and body', (report) => hasEngine(report) && hasBody(report) && report.generation !== undefined],
  ['trim', ({ trim }) => trim !== undefined],
];

function hasEngine({ specs }: Scored['report']): boolean {
  if (specs?.fuelType === 'Electric') return true;
  return specs?.fuelType !== undefined && specs.displacementCc !== undefined;
}

function hasBody({ bodyStyleNormalized }: Scored['report']): boolean {
  return bodyStyleNormalized !== undefined && bodyStyleNormalized !== 'unknown';
}

/**
 * Returns the share of the VINs with each such field, by groups, as Markdown: no table can answer a power for more VINs
 * than have an engine, nor a weight for more than have engine, generation and body.
 */
export function ceilingTable(scored: readonly Scored[], groupOf: (scored: Scored) => string): string {
  const groups = groupsOf(scored, groupOf);
  return [
    '### What VINs tell: the most that a table can answer by',
    '',
    ...headOf('settled by the VIN', groups),
    ...SETTLED.map(([name, has]) => row(name, groups, ({ report }) => has(report))),
  ].join('\n');
}

type Group = readonly [name: string, members: readonly Scored[]];

function groupsOf(scored: readonly Scored[], groupOf: (scored: Scored) => string): Group[] {
  return [...Map.groupBy(scored, groupOf)]
    .filter(([, members]) => members.length >= SMALLEST_GROUP)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function headOf(column: string, groups: readonly Group[]): string[] {
  const names = groups.map(([name, members]) => `${name} (${members.length})`);
  return [`| ${column} | ${names.join(' | ')} |`, `|---|${groups.map(() => '--:|').join('')}`];
}

function isBatteryCar({ report }: Scored): boolean {
  return report.specs?.fuelType === 'Electric';
}

/** Returns one line; a group without members has an empty cell. */
function row(field: string, groups: readonly Group[], has: (scored: Scored) => boolean): string {
  const cells = groups.map(([, members]) =>
    members.length === 0 ? '' : `${Math.round((100 * members.filter(has).length) / members.length)} %`,
  );
  return `| ${field} | ${cells.join(' | ')} |`;
}

function regionAndDecade({ labeled, report }: Scored): string {
  const year = Number(labeled.expected.modelYear ?? report.modelYear);
  const decade = Number.isInteger(year) ? `${Math.floor(year / 10) * 10}s` : 'year unknown';
  return `${report.region ?? 'unknown'} ${decade}`;
}

/** Fields shown by paid plans, each with the values that a car must have. */
const SHOWN: readonly (readonly [title: string, has: (report: Scored['report']) => boolean])[] = [
  ['generation', ({ generation }) => generation !== undefined],
  ['engine', ({ specs }) => specs?.engine !== undefined],
  ['power', ({ specs }) => specs?.powerKw !== undefined],
  ['gearbox', ({ specs }) => specs?.transmission !== undefined],
  ['drive', ({ specs }) => specs?.driveType !== undefined],
  ['length', ({ technicalSpecs }) => technicalSpecs?.lengthMm !== undefined],
  ['curb weight', ({ technicalSpecs }) => technicalSpecs?.curbWeightKg !== undefined],
];

/** The first years of the bands that the summary parts cars into. */
const BANDS = [0, 2005, 2018] as const;

/** Returns the % of the cars of each region and band of years that have each of the fields of paid plans. */
export function coverageSummary(scored: readonly Scored[]): { head: string[]; rows: string[][] } {
  const groups = groupsOf(
    scored.filter(({ report }) => report.model !== undefined),
    regionAndBand,
  );
  const rows = groups.map(([name, members]) => {
    const shares = SHOWN.map(([, has]) =>
      percentOf(members.filter(({ report }) => has(report)).length, members.length),
    );
    return [name, String(members.length)].concat(shares);
  });
  return { head: ['cars with a model', 'how many', ...SHOWN.map(([title]) => title)], rows };
}

function percentOf(count: number, of: number): string {
  return String(Math.round((100 * count) / of));
}

function regionAndBand({ labeled, report }: Scored): string {
  const year = Number(labeled.expected.modelYear ?? report.modelYear);
  const region = report.region ?? 'unknown';
  if (!Number.isInteger(year)) return `${region}, year unknown`;
  const at = BANDS.findLastIndex((first) => first <= year);
  const next = BANDS[at + 1];
  if (next === undefined) return `${region}, ${BANDS[at]} or later`;
  return at === 0 ? `${region}, ${next - 1} or before` : `${region}, ${BANDS[at]}-${next - 1}`;
}
