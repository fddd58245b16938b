import type { ReportState } from '../tables.ts';

const TONES: Readonly<Record<ReportState, string>> = {
  queued: 'warn',
  accepted: 'good',
  rejected: 'bad',
  superseded: '',
  reverted: 'bad',
};

/** The state of a report, as a word in its color. */
export function ReportStateTag({ state }: { state: ReportState }) {
  return <span class={`tag ${TONES[state]}`}>{state === 'queued' ? 'waiting for review' : state}</span>;
}
