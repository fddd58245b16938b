import type { FieldEvidence, RowEvidence } from '../report/explanation.ts';
import type { SpecAnswer } from './join.ts';

/** Only the engine's line has cylinders. */
const NOT_SHOWN = 'specs.engine';

/**
 * A decode's evidence with that of the values that tables of specifications settled: from where each is, on what basis and for
 * which market. What else spoke of such a field stays as an alternative.
 */
export function withSpecEvidence(fields: readonly FieldEvidence[], answers: readonly SpecAnswer[]): FieldEvidence[] {
  const settled = new Map(answers.map((answer) => [answer.path, answer]));
  const others = fields.filter(({ field }) => !settled.has(field) || field === NOT_SHOWN);
  const found = [...settled].filter(([path]) => path !== NOT_SHOWN);
  return [
    ...others,
    ...found.map(([field, answer]) => {
      const known = fields.find((evidence) => evidence.field === field);
      const alternatives = known === undefined ? [] : [...known.rows, ...known.alternatives];
      return { field, value: String(answer.value), rows: [rowOf(answer)], alternatives };
    }),
  ];
}

function rowOf({ value, source, basis, market, variants }: SpecAnswer): RowEvidence {
  const allowed = variants === 1 ? 'the one variant' : `all ${variants} variants`;
  return {
    value: String(value),
    source,
    row: `${allowed} that the VIN allows, ${basis}, ${market}`,
    positions: [],
    confidence: 'B',
  };
}
