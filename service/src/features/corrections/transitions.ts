import type { ReportState } from './types.ts';

/** What can be done with a report. */
export type Act = 'accept' | 'reject' | 'supersede' | 'revert';

const NEXT: Readonly<Record<ReportState, Partial<Record<Act, ReportState>>>> = {
  queued: { accept: 'accepted', reject: 'rejected', supersede: 'superseded' },
  accepted: { revert: 'reverted' },
  rejected: {},
  superseded: {},
  reverted: {},
};

/** The state that an act leads to; undefined: it is not possible from here. */
export function stateAfter(state: ReportState, act: Act): ReportState | undefined {
  return NEXT[state][act];
}
