import type { TSchema } from 'typebox';

import { answerOf, textField } from '../kernel/http/schemas.ts';

/** Usage headers of every answer of a metered route. */
export const USAGE_HEADERS: Readonly<Record<string, TSchema>> = {
  'X-RateLimit-Limit': textField('Decodes allowed in the current month, or unlimited.', '100'),
  'X-RateLimit-Remaining': textField('Decodes left in the current month, or unlimited.', '99'),
  'X-RateLimit-Reset': textField('Unix time of the next reset, in seconds.', '1796083200'),
};

/** Returns a 429 that ends sooner than the month. */
export function busyAnswer(description: string): TSchema {
  const headers = { ...USAGE_HEADERS, 'Retry-After': textField('Seconds to wait before you try again.', '3') };
  return answerOf('RateLimitErrorResponse', description, headers);
}
