import { type Field, FIELDS } from '../../labels/compare.ts';
import { BY_KIND, type Count, GROUPINGS, type Scored, tally } from './tally.ts';

const SMALLEST_GROUP = 5;
/** Kinds are few, and those with few vehicles are listed too: trailers, machines. */
const SMALLEST_KIND = 3;

/** Returns the table of all fields of one set, as Markdown. */
export function fieldTable(scored: readonly Scored[]): string {
  const counts = tally(scored);
  const lines = FIELDS.filter((field) => counts[field].labeled > 0).map((field) => {
    const { labeled, answered, right } = counts[field];
    return `| ${field} | ${labeled} | ${percent(answered, labeled)} | ${percent(right, answered)} | ${answered - right} |`;
  });
  return ['| field | labeled | answered | right of answers | wrong |', '|---|--:|--:|--:|--:|', ...lines].join('\n');
}

/** Results of a set with more left out than the VINs of a car's own group. */
export interface HeldOut {
  /** All cars of the model. */
  byModel: readonly Scored[];
  /** Every row that rests on labeled VINs, of all tables. */
  unlabeled: readonly Scored[];
}

/**
 * Returns the table of all fields of one set, with the results when whole models, and whole tables' labeled rows, were
 * left out.
 */
export function heldOutTable(scored: readonly Scored[], { byModel, unlabeled }: HeldOut): string {
  const columns = [tally(scored), tally(byModel), tally(unlabeled)];
  const lines = FIELDS.filter((field) => (columns[0]?.[field].labeled ?? 0) > 0).map((field) => {
    const cells = columns.map((counts) => cell(counts[field]));
    return `| ${field} | ${columns[0]?.[field].labeled} | ${cells.join(' | ')} |`;
  });
  const head = '| field | labeled | without its group | without its model | without rows from labels |';
  return [head, '|---|--:|--:|--:|--:|', ...lines].join('\n');
}

const GROUP_FIELDS: readonly Field[] = ['manufacturer', 'model', 'modelYear', 'body', 'fuelType'];

/**
 * Tables by make, region and year: answered and right in each cell, of both ways of leaving out the lower share.
 *
 * @param byModel the same VINs, decoded without all cars of their model
 */
export function groupTables(scored: readonly Scored[], byModel: readonly Scored[]): string {
  return GROUPINGS.map((grouping) => groupTable(grouping, scored, byModel)).join('\n\n');
}

/**
 * Returns the table by kind of vehicle over several sets together: it has the kinds of which each set has few, such as
 * trailers.
 *
 * @param byModel the same VINs, decoded without all cars of their model
 */
export function kindTable(scored: readonly Scored[], byModel: readonly Scored[]): string {
  return groupTable(BY_KIND, scored, byModel);
}

function groupTable(
  { title, of }: (typeof GROUPINGS)[number],
  scored: readonly Scored[],
  byModel: readonly Scored[],
): string {
  const withoutModel = new Map(byModel.map((one) => [one.labeled, one]));
  const smallest = title === BY_KIND.title ? SMALLEST_KIND : SMALLEST_GROUP;
  const groups = Map.groupBy(scored, of);
  const named = [...groups].filter(([, members]) => members.length >= smallest);
  const rows = named
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => {
      const counts = [tally(members), tally(members.flatMap(({ labeled }) => withoutModel.get(labeled) ?? []))];
      const cells = GROUP_FIELDS.map((field) => lowerCell(counts.map((count) => count[field])));
      return `| ${name} | ${members.length} | ${cells.join(' | ')} |`;
    });
  const head = `| ${title} | VINs | ${GROUP_FIELDS.join(' | ')} |`;
  return [head, `|---|--:|${GROUP_FIELDS.map(() => '--:|').join('')}`, ...rows].join('\n');
}

/**
 * Returns answered and right, each the lowest share of several ways of decoding the same VINs; empty: no VIN has a
 * label.
 */
export function lowerCell(counts: readonly Count[], decimals = 2): string {
  const labeled = counts.filter((count) => count.labeled > 0);
  const [answered] = labeled.toSorted((a, b) => a.answered / a.labeled - b.answered / b.labeled);
  const [right] = labeled
    .filter((count) => count.answered > 0)
    .toSorted((a, b) => a.right / a.answered - b.right / b.answered);
  if (answered === undefined) return '';
  return [
    percent(answered.answered, answered.labeled, decimals),
    right === undefined ? '' : percent(right.right, right.answered, decimals),
  ].join(' / ');
}

function cell({ labeled, answered, right }: Count): string {
  if (labeled === 0) return '';
  return `${percent(answered, labeled)} / ${percent(right, answered)}`;
}

/** Returns a share as people write it; all of them without decimals. */
function percent(part: number, whole: number, decimals = 2): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(part === whole ? 0 : decimals)} %`;
}
