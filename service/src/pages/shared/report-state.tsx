import type { ReportState } from '../../platform/db/index.ts';

const TONES: Readonly<Record<ReportState, string>> = {
  queued: 'warn',
  accepted: 'good',
  rejected: 'bad',
  superseded: '',
  reverted: 'bad',
};

/** Where a report stands, as a word in its colour. */
export function ReportStateTag({ state }: { state: ReportState }) {
  return <span class={`tag ${TONES[state]}`}>{state}</span>;
}
