import { interpret } from '../interpret.ts';
import { agreement, type LabelledVin } from '../labelled.ts';
import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';

/** What labels can be held against: the fields that they and rows both have. */
const FIELDS = ['model', 'body', 'fuelType', 'displacementCc'] as const;

/**
 * A row that decided an answer against more labelled VINs than it decided rightly. One label proves little, since listings
 * err too: a row that others confirm is left in peace.
 */
export function contradictedByLabel({ profiles }: WorldFacts, labels: readonly LabelledVin[]): Problem[] {
  const tally = new Map<string, { right: number; wrong: string[] }>();
  for (const label of labels) {
    const reading = interpret(profiles, label.vin);
    if (reading === undefined) continue;
    for (const field of FIELDS) {
      const agrees = agreement(label, reading.outputs, field);
      if (agrees === undefined) continue;
      for (const row of reading.rows) {
        if (row.outputs[field] === undefined) continue;
        const count = tally.get(`${row.origin} ${field}`) ?? { right: 0, wrong: [] };
        tally.set(`${row.origin} ${field}`, count);
        if (agrees) count.right++;
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
