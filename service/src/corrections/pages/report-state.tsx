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

/** Characters of a claim's own fields, and of its further ones, that a list shows: more than claims have that are meant. */
const [OWN, FURTHER] = [200, 400];

/** Shows a report's claim about the vehicle, with its further fields, in a list: long texts in part. */
export function Expected({ claim }: { claim: Claim }) {
  const { expectedModelYear, expectedManufacturer, expectedModel, expectedBodyStyle, expectedFields = {} } = claim;
  const further = Object.entries(expectedFields);
  return (
    <>
      {shortened([expectedModelYear, expectedManufacturer, expectedModel, expectedBodyStyle].join(' '), OWN)}
      {further.length === 0 ? null : (
        <p class="hint">
          {shortened(further.map(([path, text]) => `${fieldLabel(path)}: ${text}`).join(', '), FURTHER)}
        </p>
      )}
    </>
  );
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
