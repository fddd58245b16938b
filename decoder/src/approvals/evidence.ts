import type { FieldEvidence, RowEvidence } from '../report/explanation.ts';
import { fixedPositions, parsePattern } from '../vin/pattern.ts';
import type { ApprovalAnswer } from './join.ts';

/** Fields that are part of another one's text. */
const NOT_SHOWN = 'specs.engine';

/** A decode's evidence with that of the values that type approvals settled; what else there is on such a field stays as an alternative. */
export function withApprovalEvidence(
  fields: readonly FieldEvidence[],
  answers: readonly ApprovalAnswer[],
): FieldEvidence[] {
  const settled = new Map(answers.filter(({ field }) => field !== NOT_SHOWN).map((answer) => [answer.field, answer]));
  if (settled.size === 0) return [...fields];
  const others = fields.filter(({ field }) => !settled.has(field));
  const found = [...settled].map(([field, answer]): FieldEvidence => {
    const known = fields.find((evidence) => evidence.field === field);
    const alternatives = known === undefined ? [] : [...known.rows, ...known.alternatives];
    return { field, value: String(answer.value), rows: [rowOf(answer)], alternatives };
  });
  return [...found, ...others];
}

function rowOf({ value, source, mask, types }: ApprovalAnswer): RowEvidence {
  const positions = fixedPositions(parsePattern(mask));
  const allowed = types === 1 ? 'the one type' : `all ${types} types`;
  return { value: String(value), source, row: `${mask} · ${allowed} that the VIN allows`, positions, confidence: 'B' };
}
