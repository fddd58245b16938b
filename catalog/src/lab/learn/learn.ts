import type { Decoder } from '@marque/decoder';

import type { LabeledVin } from '../../labels/labeled.ts';
import type { TableRow } from '../../world/columns.ts';
import type { VinLayout } from '../../world/model.ts';
import { byCars, type Contradiction } from './contradictions.ts';
import { type Findings, Learner } from './learner.ts';
import type { NewLayout } from './new-layouts.ts';
import type { RuleScore } from './cross-validation.ts';
import { toTableRow } from './rows.ts';
import type { LearnedRule } from './search.ts';
import { type LearnConfidence, learnConfidenceOf } from './confidence.ts';

/** The result of learning from labeled cars. */
export interface Learned {
  /** Rows by the folder of their maker, in a stable order. */
  tables: Map<string, TableRow[]>;
  /** Layouts of WMIs that had none. */
  layouts: NewLayout[];
  /** The number of groups that a rule of each field needed, and the share of such rules that were right. */
  proven: RuleScore[];
  /** Rows that say otherwise than the cars. */
  contradictions: Contradiction[];
  /** Labels that no word of the catalog fits. */
  unknown: { label: string; cars: number }[];
  cars: number;
  malformed: number;
}

/**
 * Finds what cars say that the catalog leaves open.
 *
 * @param layouts the layouts that the decoder was compiled from
 */
export function learn(cars: Iterable<LabeledVin>, layouts: readonly VinLayout[], decoder: Decoder): Learned {
  const learner = new Learner(layouts, decoder);
  for (const car of cars) learner.add(car);
  const trust = learnConfidenceOf([learner.sample()]);
  return learnedFrom([learner.search(trust)], trust, layouts);
}

/** Merges the findings of learners with the cars of different layouts, as if it had been one. */
export function learnedFrom(
  findings: readonly Findings[],
  trust: LearnConfidence,
  known: readonly VinLayout[],
): Learned {
  const rules = findings.flatMap((one) => one.rules).toSorted((a, b) => compare(a.layout, b.layout));
  const layouts = findings.flatMap((one) => one.layouts).toSorted((a, b) => compare(a.id, b.id));
  const unknown = new Map<string, number>();
  for (const { label, cars } of findings.flatMap((one) => one.unknown)) {
    unknown.set(label, (unknown.get(label) ?? 0) + cars);
  }
  return {
    tables: withWindows(
      tablesOf(rules, layouts, known),
      findings.flatMap((one) => one.windows),
    ),
    layouts,
    proven: trust.proven,
    contradictions: byCars(findings.flatMap((one) => one.contradictions)),
    unknown: [...unknown]
      .map(([label, cars]) => ({ label, cars }))
      .toSorted((a, b) => b.cars - a.cars || compare(a.label, b.label)),
    cars: findings.reduce((sum, { cars }) => sum + cars, 0),
    malformed: findings.reduce((sum, { malformed }) => sum + malformed, 0),
  };
}

/** Returns the tables with the windows of serial numbers after the other rows. */
function withWindows(tables: Map<string, TableRow[]>, windows: Findings['windows']): Map<string, TableRow[]> {
  for (const { layout, row } of windows.toSorted((a, b) => compare(a.layout, b.layout))) {
    const folder = layout.slice(0, layout.indexOf('/'));
    const table = tables.get(folder) ?? [];
    tables.set(folder, table);
    table.push(row);
  }
  return tables;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function tablesOf(
  rules: readonly LearnedRule[],
  layouts: readonly NewLayout[],
  known: readonly VinLayout[],
): Map<string, TableRow[]> {
  const knownById = new Map(known.map((layout) => [layout.id, layout]));
  const newById = new Map(layouts.map((layout) => [layout.id, layout]));
  const tables = new Map<string, TableRow[]>();
  for (const rule of rules) {
    const made = newById.get(rule.layout);
    const layout = knownById.get(rule.layout) ?? made?.entry;
    // Skips a make that the new layout itself gives, and rules of a WMI whose make nothing gives.
    if (layout === undefined || (made !== undefined && rule.field === 'make')) continue;
    const [folder = '', name = ''] = made === undefined ? rule.layout.split('/') : [made.folder, made.entry.name];
    const table = tables.get(folder) ?? [];
    tables.set(folder, table);
    table.push(toTableRow(rule, name, layout));
  }
  return tables;
}
