import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';

import { testService } from '../../testing/service.ts';

/** Formulas that a spreadsheet runs, as VINs that someone had another person's tool look up. */
const FORMULAS = ['=1+1', '@SUM(1)', '+1+1', '-1+1', '=HYPERLINK("http://a.example")'];

test('no cell of a CSV answer is a formula, for any text sent as a VIN', async () => {
  await using service = await testService();
  for (const formula of FORMULAS) {
    const sent = encodeURIComponent(formula);
    const single = await service.app.inject(`/api/vehicles/DecodeVinValues/${sent}?format=csv`);
    const list = await service.app.inject(`/api/vehicles/DecodeVin/${sent}?format=csv`);
    const payload = `format=csv&data=${sent}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = '/api/vehicles/DecodeVINValuesBatch/';
    const batch = await service.app.inject({ method: 'POST', url, headers, payload });
    for (const { statusCode, body } of [single, list, batch]) {
      expect(statusCode).toBe(200);
      const cells = parse(body).flat();
      expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    }
  }
});
