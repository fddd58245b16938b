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

/** Which share of a set's VINs has each technical field, by groups (region and decade if none are given), as Markdown. */
export function coverageTable(
  scored: readonly Scored[],
  groupOf: (scored: Scored) => string = regionAndDecade,
): string {
  const groups = [...Map.groupBy(scored, groupOf)]
    .filter(([, members]) => members.length >= SMALLEST_GROUP)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const head = `| field | ${groups.map(([name, members]) => `${name} (${members.length})`).join(' | ')} |`;
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
  return [
    '### Technical fields: share of VINs that have each',
    '',
    head,
    `|---|${groups.map(() => '--:|').join('')}`,
    ...rows,
  ].join('\n');
}

type Group = readonly [name: string, members: readonly Scored[]];

function isBatteryCar({ report }: Scored): boolean {
  return report.specs?.fuelType === 'Electric';
}

/** One line; a group without members has an empty cell. */
function row(field: string, groups: readonly Group[], has: (scored: Scored) => boolean): string {
  const cells = groups.map(([, members]) =>
    members.length === 0 ? '' : `${Math.round((100 * members.filter(has).length) / members.length)} %`,
  );
  return `| ${field} | ${cells.join(' | ')} |`;
}

function regionAndDecade({ labelled, report }: Scored): string {
  const year = Number(labelled.expected.modelYear ?? report.modelYear);
  const decade = Number.isInteger(year) ? `${Math.floor(year / 10) * 10}s` : 'year unknown';
  return `${report.region ?? 'unknown'} ${decade}`;
}
