import type { ReportState } from '../tables.ts';
import { fieldLabel } from '../../report/index.ts';
import type { Claim } from '../index.ts';

const LOOKS: Readonly<Record<ReportState, readonly [tone: string, text: string]>> = {
  queued: ['warn', 'waiting for review'],
  accepted: ['good', 'accepted'],
  rejected: ['bad', 'rejected'],
  superseded: ['', 'superseded'],
  reverted: ['bad', 'reverted'],
};

/** Returns a report's state within a sentence: "waiting for review". */
export function stateText(state: ReportState): string {
  return LOOKS[state][1];
}

/** The state of a report, as words in their color. */
export function ReportStateTag({ state }: { state: ReportState }) {
  return <span class={`tag ${LOOKS[state][0]}`}>{stateText(state)}</span>;
}

/** Shows a report's claim about the vehicle, with its further fields. */
export function Expected({ claim }: { claim: Claim }) {
  const { expectedModelYear, expectedManufacturer, expectedModel, expectedBodyStyle, expectedFields = {} } = claim;
  const further = Object.entries(expectedFields);
  return (
    <>
      {[expectedModelYear, expectedManufacturer, expectedModel, expectedBodyStyle].join(' ')}
      {further.length === 0 ? null : (
        <p class="hint">{further.map(([path, text]) => `${fieldLabel(path)}: ${text}`).join(', ')}</p>
      )}
    </>
  );
}
