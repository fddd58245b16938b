import type { Corrections, Decision } from '../index.ts';
import { unusualIn } from '../suggest.ts';
import { count } from '../../kernel/ui/numbers.ts';

/** The dependencies of decisions on several reports. */
type BulkParts = { corrections: Pick<Corrections, 'labelled' | 'review' | 'preview' | 'accept' | 'reject'> };

/** A decision on several reports at once. */
export type BulkAct = 'accept' | 'reject';

/** Reasons for leaving reports in the queue, for one of them and for several. */
const LEFT = {
  gone: ['was no longer in the queue', 'were no longer in the queue'],
  nothing: ['asks for nothing that differs from the answer', 'ask for nothing that differs from the answer'],
  unusual: ['has letters or signs that can look like others', 'have letters or signs that can look like others'],
  invalid: ['needs a correction of its own', 'need corrections of their own'],
  contradicts: ['contradicts a labeled VIN', 'contradict labeled VINs'],
} as const;

type Outcome = 'decided' | keyof typeof LEFT;

/**
 * Decides on several reports at once. Each is accepted as reported, for its VIN alone; one that needs a closer look
 * stays in the queue.
 *
 * @returns a sentence that summarizes the outcome.
 */
export async function decideOnAll(
  deps: BulkParts,
  ids: readonly string[],
  act: BulkAct,
  decision: Decision,
): Promise<string> {
  const outcomes = new Map<Outcome, number>();
  // One after the other: each sees the corrections before it, which may have resolved it.
  const labelled = act === 'accept' ? await deps.corrections.labelled() : [];
  for (const id of ids) {
    const outcome = await (act === 'accept'
      ? acceptAsReported(deps, id, decision, labelled)
      : rejectOne(deps, id, decision));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  const decided = outcomes.get('decided') ?? 0;
  const said = act === 'accept' ? 'accepted' : 'rejected';
  const left = Object.entries(LEFT).flatMap(([why, [one, many]]) => {
    const number = [...outcomes].find(([outcome]) => outcome === why)?.[1] ?? 0;
    return number === 0 ? [] : [number === 1 ? `One ${one}.` : `${count(number)} ${many}.`];
  });
  const stay = ids.length - decided - (outcomes.get('gone') ?? 0);
  if (stay > 0)
    left.push(
      stay === 1 ? 'It stays in the queue: open it to decide.' : 'They stay in the queue: open each to decide.',
    );
  return [`${decided === 1 ? 'One report is' : `${count(decided)} reports are`} ${said}.`, ...left].join(' ');
}

async function rejectOne({ corrections }: BulkParts, id: string, decision: Decision): Promise<Outcome> {
  const { kind } = await corrections.reject(id, decision);
  return kind === 'decided' ? 'decided' : kind === 'invalid' ? 'invalid' : 'gone';
}

async function acceptAsReported(
  { corrections }: BulkParts,
  id: string,
  decision: Decision,
  labelled: Awaited<ReturnType<Corrections['labelled']>>,
): Promise<Outcome> {
  const review = await corrections.review(id);
  if (review === undefined || review.report.state !== 'queued') return 'gone';
  const { suggestion } = review;
  if (suggestion === null) return 'invalid';
  if (Object.keys(suggestion.fields).length === 0) return 'nothing';
  // It looks like another name, and only the report's own page says that it is not.
  if (Object.values(suggestion.fields).some((value) => unusualIn(String(value)).length > 0)) return 'unusual';
  const preview = await corrections.preview(suggestion, id, labelled);
  if (preview.kind === 'invalid') return 'invalid';
  if (preview.impact.harmed > 0) return 'contradicts';
  const { kind } = await corrections.accept(id, suggestion, decision);
  return kind === 'accepted' ? 'decided' : kind === 'invalid' ? 'invalid' : 'gone';
}
