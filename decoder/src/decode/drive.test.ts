import { expect, test } from 'vitest';

import { emptyDraft } from '../report/draft.ts';
import { settleDrive } from './drive.ts';

test.each([
  ['sDrive30i', 'All-wheel drive', ''],
  ['sDrive30i', 'Rear-wheel drive', 'Rear-wheel drive'],
  ['E450 4MATIC', '4x2', 'All-wheel drive'],
  ['GL350 BlueTEC 4MATIC', '', 'All-wheel drive'],
  ['Sport, Sport xDrive', 'Rear-wheel drive', 'Rear-wheel drive'],
  ['Premium', 'Front-wheel drive', 'Front-wheel drive'],
])('the badge %s turns "%s" into "%s"', (trim, read, settled) => {
  const draft = { ...emptyDraft(), trim, driveType: read };
  settleDrive(draft);
  expect(draft.driveType).toBe(settled);
});
