import type { Decoder } from '@marque/decoder';

import { changesBetween, type Impact, survey, type SurveyDeps } from '../corrections/index.ts';

interface PreviewDeps extends SurveyDeps {
  /** As VINs are decoded now, and as they would be. */
  before: Pick<Decoder, 'decode'>;
  after: Pick<Decoder, 'decode'>;
}

/** What an overlay would change, for labeled VINs and recent decodes: any of them may be covered. */
export async function previewOverlay({ before, after, ...deps }: PreviewDeps): Promise<Impact> {
  return survey(deps, (vin, expected) => changesBetween(before.decode(vin), after.decode(vin), expected));
}
