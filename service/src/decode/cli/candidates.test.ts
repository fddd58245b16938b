import { expect, test } from 'vitest';

import { catalog, decoder } from '../../testing/decoder.ts';
import { ioWith } from '../../testing/io.ts';
import { hintsOfOptions } from './candidates.ts';
import { runDecode } from './run.ts';

const GOLF = 'WVWZZZ1KZAM123456';

test('--candidates prints the fields that the VIN leaves open, and the values that hints decide', async () => {
  const job = { vins: [GOLF], file: undefined, format: 'json', explain: false } as const;
  const open = ioWith();
  await runDecode(catalog, { ...job, candidates: {} }, open);
  expect(JSON.parse(open.stdout.text)).toEqual(decoder.candidates(GOLF));
  expect(open.stdout.text).toContain('"field": "bodyStyleNormalized"');
  const hinted = ioWith();
  await runDecode(catalog, { ...job, candidates: hintsOfOptions(['bodyStyleNormalized=hatchback']) }, hinted);
  expect(JSON.parse(hinted.stdout.text)).toMatchObject({ report: { bodyStyle: 'Hatchback' }, conflicts: [] });
});

test('columns of a CSV file that are named like hints are hints, and VINs may lack their end', async () => {
  const io = ioWith(`vin,bodystylenormalized\n${GOLF},hatchback\n${GOLF},\nWVWZZZ1KZAM******,hatchback\n`);
  const job = { vins: [], file: '-', explain: false, candidates: {} };
  expect(await runDecode(catalog, job, io)).toEqual({ decoded: 3, refused: 0 });
  const [, hinted, plain, masked] = io.stdout.text.trimEnd().split('\r\n');
  expect(hinted).toContain(',Hatchback,hatchback,');
  expect(plain).not.toContain(',Hatchback,hatchback,');
  expect(masked).toContain(',Hatchback,hatchback,');
});

test('an invalid hint is refused in words', () => {
  expect(() => hintsOfOptions(['powerKw'])).toThrow('--hint takes FIELD=VALUE');
  expect(() => hintsOfOptions(['color=red'])).toThrow('color is not a hint');
});
