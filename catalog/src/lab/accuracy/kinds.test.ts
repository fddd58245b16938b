import { expect, test } from 'vitest';

import { kindTable } from './print.ts';
import type { Scored } from './tally.ts';

function scored(kind: string | undefined, vehicleType: string, manufacturer: string | undefined): Scored {
  const labeled = { vin: '1GRAA0621KB112345', expected: { manufacturer: 'Great Dane' }, yearBasis: 'model-year' };
  return {
    labeled: { ...labeled, ...(kind !== undefined && { kind }) } as Scored['labeled'],
    report: { vehicleType, ...(manufacturer !== undefined && { manufacturer }) },
  };
}

test('kinds of which there are few are listed, as labeled or else as decoded', () => {
  const trailers = [
    scored('trailer', 'Trailer', 'Great Dane'),
    scored(undefined, 'Trailer', 'Great Dane'),
    scored('trailer', 'Truck', 'Wabash'),
    scored('trailer', 'Truck', undefined),
  ];
  const buses = [scored('bus', 'Bus', 'Great Dane')];
  const [, , ...rows] = kindTable([...trailers, ...buses], []).split('\n');
  expect(rows).toEqual(['| trailer | 4 | 75.00 % / 66.67 % |  |  |  |  |']);
});
