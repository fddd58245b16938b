import type { Calibration } from './calibration.ts';
import { choicesFor, lengthOf, type PositionChoice } from './cells.ts';
import { evidenceClass, judgeChoice, type JudgedCell, type JudgedChoice } from './evidence.ts';
import { LEARNED_FIELDS, type LearnedField } from './fields.ts';
import type { LayoutObservations, Observation } from './observe.ts';

/** The meaning of a code, with the number of groups that confirm it. */
export interface LearnedRule {
  layout: string;
  field: LearnedField;
  value: string;
  /** Positions of the code, from 0, and its characters. */
  positions: readonly number[];
  code: string;
  /** The WMI that it applies to; undefined: all of the layout's. */
  wmi: string | undefined;
  cars: number;
  groups: number;
  against: number;
  years: readonly [number, number] | undefined;
  /** The make that goes with it. */
  make: string | undefined;
}

/**
 * Finds the rules of a layout for fields that the catalog leaves open, shortest codes first.
 *
 * @param answering all: as if the catalog answered nothing, to measure the search
 */
export function searchLayout(
  { layout, observations }: LayoutObservations,
  calibration: Calibration,
  answering: 'open' | 'all' = 'open',
): LearnedRule[] {
  return LEARNED_FIELDS.flatMap((field) => {
    const labeled = observations.filter(({ reading }) => reading[field] !== undefined);
    const isOpen = ({ standing }: Observation): boolean => answering === 'all' || standing[field] === 'open';
    return labeled.some(isOpen) ? searchField(layout, field, labeled, isOpen, calibration) : [];
  });
}

function searchField(
  layout: string,
  field: LearnedField,
  labeled: readonly Observation[],
  isOpen: (observation: Observation) => boolean,
  calibration: Calibration,
): LearnedRule[] {
  const rules: LearnedRule[] = [];
  let open = [...labeled.keys()].filter((index) => isOpen(labeled[index] as Observation));
  const byLength = Map.groupBy(choicesFor(field, labeled), lengthOf);
  for (const length of [...byLength.keys()].toSorted((a, b) => a - b)) {
    if (open.length === 0) break;
    const candidates = (byLength.get(length) ?? [])
      .map((choice) => confirmedCells(judgeChoice(labeled, field, choice), field, calibration, open))
      .filter(({ count }) => count > 0);
    for (;;) {
      const best = mostCovering(candidates, open);
      if (best === undefined) break;
      rules.push(...rulesOf(layout, field, best, labeled, open));
      open = open.filter((index) => best.answers[best.judged.cellOf[index] as number] === 0);
    }
  }
  return rules;
}

/** A choice with its cells that may answer. */
interface ScoredChoice {
  judged: JudgedChoice;
  /** By cell: 1 = it is confirmed. */
  answers: Uint8Array;
  /** The number of open observations that they answer. */
  count: number;
}

/** Finds the confirmed cells. Skips cells that would answer nothing open: most labeled cars are answered already. */
function confirmedCells(
  judged: JudgedChoice,
  field: LearnedField,
  calibration: Calibration,
  open: readonly number[],
): ScoredChoice {
  const answers = new Uint8Array(judged.cells.length);
  for (const number of new Set(open.map((index) => judged.cellOf[index] as number))) {
    const cell = judged.cells[number] as JudgedCell;
    if (calibration.carries(field, evidenceClass(judged, cell, cell), cell.groups)) answers[number] = 1;
  }
  return { judged, answers, count: covered({ judged, answers }, open) };
}

/** Returns the choice whose cells answer the most open observations; undefined if none answers any. */
function mostCovering(candidates: readonly ScoredChoice[], open: readonly number[]): ScoredChoice | undefined {
  let best: { candidate: ScoredChoice; count: number } | undefined;
  for (const candidate of candidates) {
    // It answers no more than it did when more was open.
    if (candidate.count <= (best?.count ?? 0)) continue;
    candidate.count = covered(candidate, open);
    if (candidate.count > (best?.count ?? 0)) best = { candidate, count: candidate.count };
  }
  return best?.candidate;
}

function covered({ judged: { cellOf }, answers }: Omit<ScoredChoice, 'count'>, open: readonly number[]): number {
  let count = 0;
  for (const index of open) count += answers[cellOf[index] as number] as number;
  return count;
}

/** Returns a rule for each cell that answers something open. */
function rulesOf(
  layout: string,
  field: LearnedField,
  { judged: { choice, cells, cellOf }, answers }: ScoredChoice,
  labeled: readonly Observation[],
  open: readonly number[],
): LearnedRule[] {
  const members = new Map<number, Observation[]>();
  for (const index of open) if (answers[cellOf[index] as number] === 1) members.set(cellOf[index] as number, []);
  for (const [index, observation] of labeled.entries()) members.get(cellOf[index] as number)?.push(observation);
  return [...members.keys()]
    .toSorted((a, b) => a - b)
    .map((number) => ruleOf(layout, field, choice, cells[number] as JudgedCell, members.get(number) ?? []));
}

function ruleOf(
  layout: string,
  field: LearnedField,
  choice: PositionChoice,
  { majority, agreeing, groups }: JudgedCell,
  observations: readonly Observation[],
): LearnedRule {
  const vin = observations[0]?.vin ?? '';
  const years = observations.flatMap((one) => one.years ?? []);
  return {
    layout,
    field,
    value: majority,
    positions: choice.positions,
    code: choice.positions.map((at) => vin.charAt(at)).join(''),
    wmi: choice.wmi ? vin.slice(0, 3) : undefined,
    cars: observations.reduce((sum, { cars }) => sum + cars, 0),
    groups,
    against: groups - agreeing,
    years: years.length === 0 ? undefined : [least(years), greatest(years)],
    make: observations.find(({ reading }) => reading[field] === majority)?.reading.make,
  };
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b));
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b));
}

/** Years on either side of the labeled ones in which a code is taken to mean the same. */
export const YEARS_BESIDE = 3;

/** Returns true if a rule applies to these cars. */
export function matchesRule(
  { positions, code, wmi, years }: LearnedRule,
  { vin, years: labeled }: Observation,
): boolean {
  if (wmi !== undefined && !vin.startsWith(wmi)) return false;
  if (years !== undefined && labeled !== undefined) {
    if (labeled[0] > years[1] + YEARS_BESIDE || labeled[1] < years[0] - YEARS_BESIDE) return false;
  }
  return positions.every((at, index) => vin.charAt(at) === code.charAt(index));
}
