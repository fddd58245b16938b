import { expect, test } from 'vitest';

import { emptyDraft } from '../report/draft.ts';
import { Ledger } from '../settle/ledger.ts';
import { claimDrive } from './drive.ts';

test.each([
  ['sDrive30i', 'All-wheel drive', ''],
  ['sDrive30i', 'Rear-wheel drive', 'Rear-wheel drive'],
  ['E450 4MATIC', '4x2', 'All-wheel drive'],
  ['GL350 BlueTEC 4MATIC', '', 'All-wheel drive'],
  ['Sport, Sport xDrive', 'Rear-wheel drive', 'Rear-wheel drive'],
  ['Premium', 'Front-wheel drive', 'Front-wheel drive'],
])('the badge %s turns "%s" into "%s"', (trim, read, settled) => {
  const ledger = new Ledger();
  ledger.clear({ ...emptyDraft(), trim, driveType: read });
  claimDrive(ledger);
  expect(ledger.known.driveType).toBe(settled);
});
