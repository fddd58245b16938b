import type { ReportState } from '../tables.ts';

const LOOKS: Readonly<Record<ReportState, readonly [tone: string, text: string]>> = {
  queued: ['warn', 'waiting for review'],
  accepted: ['good', 'accepted'],
  rejected: ['bad', 'rejected'],
  superseded: ['', 'superseded'],
  reverted: ['bad', 'reverted'],
};

/** A state of reports in words, for a sentence: "waiting for review". */
export function stateText(state: ReportState): string {
  return LOOKS[state][1];
}

/** The state of a report, as words in their color. */
export function ReportStateTag({ state }: { state: ReportState }) {
  return <span class={`tag ${LOOKS[state][0]}`}>{stateText(state)}</span>;
}
