import { BODY_STYLES, type BodyStyle } from '@marque/decoder';

import { keyOf, once, readTable } from './table.ts';
import { wordOf } from './words.ts';

/** A body that people see where vPIC's class is a legal one: an MPV need not be an SUV. */
export interface SeenBody {
  /** The style that vPIC's class gives; another one stands. */
  instead: BodyStyle;
  body: BodyStyle;
  label: string;
}

const bodies = once(() => readTable('model-bodies.csv', ['make', 'model', 'vpic', 'body', 'label', 'source'], 2));

/** The body of a model as people see it, by facts/values/model-bodies.csv; undefined where vPIC's is good. */
export function bodyOfModel(make: string, model: string): SeenBody | undefined {
  const row = bodies().get(`${keyOf(make)}|${keyOf(model)}`);
  if (row === undefined) return undefined;
  return { instead: wordOf(BODY_STYLES, row.vpic), body: wordOf(BODY_STYLES, row.body), label: row.label };
}
