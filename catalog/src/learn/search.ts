import type { Calibration } from './calibration.ts';
import { choicesFor, lengthOf } from './cells.ts';
import { evidenceClass, judgeChoice, type JudgedCell, type JudgedChoice } from './evidence.ts';
import { LEARNED_FIELDS, type LearnedField } from './fields.ts';
import type { LayoutObservations, Observation } from './observe.ts';

/** What a code means, with how many bear it out. */
export interface LearnedRule {
  layout: string;
  field: LearnedField;
  value: string;
  /** Where the code stands, from 0, and what it is. */
  positions: readonly number[];
  code: string;
  /** The WMI under which it holds; undefined: under all of the layout's. */
  wmi: string | undefined;
  cars: number;
  groups: number;
  against: number;
  years: readonly [number, number] | undefined;
  /** The make that goes with it. */
  make: string | undefined;
}

/**
 * Finds the rules of a layout that answer what the catalog leaves open, shortest codes first.
 *
 * @param answering all: as if the catalog answered nothing, to see how well the search does
 */
export function searchLayout(
  { layout, observations }: LayoutObservations,
  calibration: Calibration,
  answering: 'open' | 'all' = 'open',
): LearnedRule[] {
  return LEARNED_FIELDS.flatMap((field) => {
    const labelled = observations.filter(({ reading }) => reading[field] !== undefined);
    const open = new Set(labelled.filter(({ standing }) => answering === 'all' || standing[field] === 'open'));
    return open.size === 0 ? [] : searchField(layout, field, labelled, open, calibration);
  });
}

function searchField(
  layout: string,
  field: LearnedField,
  labelled: readonly Observation[],
  open: Set<Observation>,
  calibration: Calibration,
): LearnedRule[] {
  const rules: LearnedRule[] = [];
  const byLength = Map.groupBy(choicesFor(field, labelled), lengthOf);
  for (const length of [...byLength.keys()].toSorted((a, b) => a - b)) {
    if (open.size === 0) break;
    const candidates = (byLength.get(length) ?? [])
      .map((choice) => borneOut(judgeChoice(labelled, field, choice), field, calibration))
      .filter(({ cells }) => cells.length > 0);
    while (open.size > 0) {
      const best = mostCovering(candidates, open);
      if (best === undefined) break;
      for (const cell of best.cells) {
        if (!cell.observations.some((one) => open.has(one))) continue;
        rules.push(ruleOf(layout, field, best, cell));
        for (const one of cell.observations) open.delete(one);
      }
    }
  }
  return rules;
}

function borneOut(judged: JudgedChoice, field: LearnedField, calibration: Calibration): JudgedChoice {
  const cells = judged.cells.filter((cell) =>
    calibration.carries(field, evidenceClass(judged, cell, cell.majority), cell.majority.groups),
  );
  return { ...judged, cells };
}

/** The choice whose cells answer most of what is open; undefined where none answers any. */
function mostCovering(candidates: readonly JudgedChoice[], open: ReadonlySet<Observation>): JudgedChoice | undefined {
  let best: { choice: JudgedChoice; covered: number } | undefined;
  for (const choice of candidates) {
    let covered = 0;
    for (const { observations } of choice.cells) for (const one of observations) if (open.has(one)) covered++;
    if (covered > (best?.covered ?? 0)) best = { choice, covered };
  }
  return best?.choice;
}

function ruleOf(layout: string, field: LearnedField, { choice }: JudgedChoice, cell: JudgedCell): LearnedRule {
  const { observations, majority } = cell;
  const [first] = observations;
  const vin = first?.vin ?? '';
  const years = observations.flatMap((one) => one.years ?? []);
  return {
    layout,
    field,
    value: majority.value,
    positions: choice.positions,
    code: choice.positions.map((at) => vin.charAt(at)).join(''),
    wmi: choice.wmi ? vin.slice(0, 3) : undefined,
    cars: observations.reduce((sum, { cars }) => sum + cars, 0),
    groups: majority.groups,
    against: majority.groups - majority.agreeing,
    years: years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)],
    make: observations.find(({ reading }) => reading[field] === majority.value)?.reading.make,
  };
}

/** Years on either side of the labelled ones in which a code is taken to mean the same. */
export const YEARS_BESIDE = 3;

/** Whether a rule speaks of these cars. */
export function matchesRule(
  { positions, code, wmi, years }: LearnedRule,
  { vin, years: labelled }: Observation,
): boolean {
  if (wmi !== undefined && !vin.startsWith(wmi)) return false;
  if (years !== undefined && labelled !== undefined) {
    if (labelled[0] > years[1] + YEARS_BESIDE || labelled[1] < years[0] - YEARS_BESIDE) return false;
  }
  return positions.every((at, index) => vin.charAt(at) === code.charAt(index));
}
