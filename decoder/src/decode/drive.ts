import { driveOf } from '../specs/criteria.ts';
import type { DriveNames } from '../specs/drive-names.ts';
import { F, type Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';

/** Several trims in one text: a car of them may have either drive. */
const LIST = /[,;]| \/ |\bor\b/i;

/**
 * Claims the driven wheels that the badge names: "4MATIC" drives all wheels and "sDrive" does not, whatever else was
 * decoded. The badge decides, since the car was sold under it.
 */
export function claimDrive(ledger: Ledger, names: DriveNames): void {
  const { known } = ledger;
  const badge = known.trim !== '' && LIST.test(known.trim) ? '' : names.of(known);
  if (badge === '') return;
  const { badges } = SOURCE;
  const read = driveOf(known.driveType);
  if (read !== '' && (read === 'all') !== (badge === 'all')) ledger.drop(badges, F.driveType, BY.badge);
  if (known.driveType === '' && badge === 'all') ledger.claim(badges, F.driveType, 'All-wheel drive', BY.badge);
}
