import { expect, test } from 'vitest';

import { emptyDraft } from '../report/draft.ts';
import { Ledger } from '../settle/ledger.ts';
import { DriveNames } from '../specs/drive-names.ts';
import { claimDrive } from './drive.ts';

const NAMES = new DriveNames([
  { name: '4All', drive: 'all', apart: true },
  { name: 'twoDrive', drive: 'two', apart: true },
  { name: 'FWD', drive: 'front', apart: true },
]);

test.each([
  ['twoDrive30i', 'All-wheel drive', ''],
  ['twoDrive30i', 'Rear-wheel drive', 'Rear-wheel drive'],
  ['E450 4All', '4x2', 'All-wheel drive'],
  ['GL350 BlueTEC 4All', '', 'All-wheel drive'],
  ['Sport, Sport 4All', 'Rear-wheel drive', 'Rear-wheel drive'],
  ['Premium', 'Front-wheel drive', 'Front-wheel drive'],
  ['FWD/4All', 'Rear-wheel drive', 'Rear-wheel drive'],
  ['FWD', '4x2', '4x2'],
  ['FWD', 'All-wheel drive', ''],
])('the badge %s turns "%s" into "%s"', (trim, read, settled) => {
  const ledger = new Ledger();
  ledger.clear({ ...emptyDraft(), trim, driveType: read });
  claimDrive(ledger, NAMES);
  expect(ledger.known.driveType).toBe(settled);
});
