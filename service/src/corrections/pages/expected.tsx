import { fieldLabel } from '../../report/report-rows.ts';
import type { Claim } from '../index.ts';

/** What a report says the vehicle is, with the further fields that it claims. */
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
