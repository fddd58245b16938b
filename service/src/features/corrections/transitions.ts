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

/** The state after an action; undefined: the action is not possible in this state. */
export function stateAfter(state: ReportState, act: Act): ReportState | undefined {
  return NEXT[state][act];
}
