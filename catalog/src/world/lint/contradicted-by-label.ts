import type { VehicleReport } from '@marque/decoder';

import { compareField } from '../../labels/compare.ts';
import type { LabeledVin } from '../../labels/labeled.ts';
import { interpret } from '../interpret.ts';
import type { WorldFacts } from '../load.ts';
import type { WorldOutputs } from '../model.ts';
import type { Problem } from '../problem.ts';

/** Fields that labels can check: their name in a row and in a report. */
const FIELDS = [
  ['model', 'model'],
  ['body', 'body'],
  ['fuelType', 'fuelType'],
  ['displacementCc', 'displacementCc'],
] as const;

/**
 * Finds a row that decided an answer against more labeled VINs than it decided rightly. One label proves little, since
 * listings err too: a row that others confirm is left in peace.
 */
export function contradictedByLabel({ layouts }: WorldFacts, labels: readonly LabeledVin[]): Problem[] {
  const tally = new Map<string, { right: number; wrong: string[] }>();
  for (const label of labels) {
    const reading = interpret(layouts, label.vin);
    if (reading === undefined) continue;
    for (const [field, judged] of FIELDS) {
      const verdict = compareField(judged, label, reportOf(reading.outputs));
      if (verdict !== 'right' && verdict !== 'wrong') continue;
      for (const row of reading.rows) {
        if (row.outputs[field] === undefined) continue;
        const count = tally.get(`${row.origin} ${field}`) ?? { right: 0, wrong: [] };
        tally.set(`${row.origin} ${field}`, count);
        if (verdict === 'right') count.right++;
        else count.wrong.push(label.vin);
      }
    }
  }
  return [...tally]
    .filter(([, { right, wrong }]) => wrong.length > right)
    .map(([key, { wrong }]) => {
      const [where = '', field = ''] = key.split(' ');
      return { where, what: `the ${field} contradicts the labelled ${wrong.join(', ')}` };
    });
}

/** Returns the part of a report that is compared. */
function reportOf({ make, model, body, fuelType, displacementCc }: WorldOutputs): Partial<VehicleReport> {
  return {
    ...(make !== undefined && { manufacturer: make }),
    ...(model !== undefined && { model }),
    bodyStyleNormalized: body ?? 'unknown',
    specs: { ...(fuelType !== undefined && { fuelType }), ...(displacementCc !== undefined && { displacementCc }) },
  };
}
