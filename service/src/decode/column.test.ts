import { describe, expect, test } from 'vitest';

import { findLayout } from './column.ts';

const VIN = '1HGCM82633A004352';

describe('the column of VINs', () => {
  test('is found by its name, or by its content', () => {
    expect(
      findLayout(
        [
          ['No', 'VIN'],
          ['1', VIN],
        ],
        '',
      ),
    ).toMatchObject({ column: 1, hasHeader: true, columnName: 'VIN' });
    expect(
      findLayout(
        [
          ['No', 'Car'],
          ['1', VIN],
        ],
        '',
      ),
    ).toMatchObject({ column: 1, hasHeader: true });
    expect(findLayout([[VIN], [VIN]], '')).toMatchObject({ column: 0, hasHeader: false });
    expect(
      findLayout(
        [
          ['a', 'b'],
          ['1', '2'],
        ],
        '',
      ),
    ).toMatchObject({ kind: 'not-found' });
  });

  test('is chosen by name or number', () => {
    expect(
      findLayout(
        [
          ['a', 'b'],
          [VIN, VIN],
        ],
        'B',
      ),
    ).toMatchObject({ column: 1 });
    expect(
      findLayout(
        [
          ['a', 'b'],
          [VIN, VIN],
        ],
        '1',
      ),
    ).toMatchObject({ column: 0 });
    expect(
      findLayout(
        [
          ['a', 'b'],
          [VIN, VIN],
        ],
        '3',
      ),
    ).toMatchObject({ kind: 'not-found' });
  });
});
