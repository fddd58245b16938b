import { expect, test } from 'vitest';

import { keepsAnswers } from './keeps-answers.ts';
import type { VehicleReport } from './report.ts';

const car = (vehicleType: string, body: VehicleReport['bodyStyleNormalized']): VehicleReport => ({
  vin: '1HGCM82633A004352',
  wmi: '1HG',
  vds: 'CM8263',
  vis: '3A004352',
  checkDigit: '3',
  yearCode: '3',
  plantCode: 'A',
  serialNumber: '004352',
  validFormat: true,
  vehicleType,
  bodyStyleNormalized: body,
});

test.each([
  ['Passenger car', 'sedan', true],
  ['SUV', 'suv', true],
  ['Van', 'van', true],
  ['Pickup', 'pickup', true],
  ['Motorcycle', 'motorcycle', false],
  ['Truck', 'truck', false],
  ['Bus', 'bus', false],
] as const)('a passenger car of open body may become a %s: %s, %s', (type, body, isKept) => {
  expect(keepsAnswers(car('Passenger car', 'unknown'), car(type, body))).toBe(isKept);
});
