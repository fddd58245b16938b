import type { FieldEvidence, RowEvidence } from '../decode/explanation.ts';
import type { MaskAnswer } from './join.ts';

/** Fields that stand in another one's text. */
const NOT_SHOWN = 'specs.engine';

/** A decode's evidence with that of the values that masks settled; what else spoke of such a field stays as an alternative. */
export function withMaskEvidence(fields: readonly FieldEvidence[], answers: readonly MaskAnswer[]): FieldEvidence[] {
  const settled = new Map(answers.filter(({ field }) => field !== NOT_SHOWN).map((answer) => [answer.field, answer]));
  if (settled.size === 0) return [...fields];
  const others = fields.filter(({ field }) => !settled.has(field));
  const found = [...settled].map(([field, answer]): FieldEvidence => {
    const heard = fields.find((known) => known.field === field);
    const alternatives = heard === undefined ? [] : [...heard.rows, ...heard.alternatives];
    return { field, value: String(answer.value), rows: [rowOf(answer)], alternatives };
  });
  return [...found, ...others];
}

function rowOf({ value, source, mask, types }: MaskAnswer): RowEvidence {
  const positions = [...mask].flatMap((character, index) => (character === '.' ? [] : [index + 1]));
  const allowed = types === 1 ? 'the one type' : `all ${types} types`;
  return { value: String(value), source, row: `${mask} · ${allowed} that the VIN allows`, positions, confidence: 'B' };
}
