import { driveOf, driveOfWords } from '../specs/criteria.ts';
import type { Draft } from '../report/draft.ts';

/** Several trims in one text: a car of them may have either drive. */
const LIST = /[,;]| \/ |\bor\b/i;

/**
 * Holds the driven wheels against the badge: "4MATIC" drives all wheels and "sDrive" does not, whatever else was read. The
 * badge decides, since it is what the car was sold as.
 */
export function settleDrive(draft: Draft): void {
  const badge = LIST.test(draft.trim) ? '' : driveOfWords(draft);
  if (badge === '') return;
  const read = driveOf(draft.driveType);
  if (read !== '' && (read === 'all') !== (badge === 'all')) draft.driveType = '';
  if (draft.driveType === '' && badge === 'all') draft.driveType = 'All-wheel drive';
}
