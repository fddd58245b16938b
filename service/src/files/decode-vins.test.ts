import { expect, test } from 'vitest';

import { catalog } from '../testing/decoder.ts';
import { correctedDecoder } from '../corrections/index.ts';
import { OverrideIndex } from '../corrections/override-index.ts';
import { decodeVins, openFileThread } from './decode-vins.ts';
import { decodeVin } from './decoded-vin.ts';

const VINS = ['1HGCM82633A004352', 'WVWZZZ1JZ3W386752', '11111111111111111', 'JTDKN3DU5A0000001'];

test('a thread decodes as the main thread does, and what an override may change is decoded with it', async () => {
  const thread = openFileThread(catalog.bytes);
  try {
    const plain = correctedDecoder(catalog, () => new OverrideIndex());
    const expected = VINS.map((vin) => decodeVin(catalog.decoder, vin));
    expect(await decodeVins({ decoder: plain, fileThread: thread }, VINS)).toEqual(expected);
    expect(await decodeVins({ decoder: plain, fileThread: undefined }, VINS)).toEqual(expected);
    const [, golf = ''] = VINS;
    const corrected = { ...plain, mayCorrect: (vin: string) => vin === golf, decode: renamed };
    const outcome = await decodeVins({ decoder: corrected, fileThread: thread }, VINS);
    expect(outcome.map(({ report }) => report.includes('Renamed'))).toEqual([false, true, false, false]);
  } finally {
    await thread.close();
  }
});

function renamed(vin: string) {
  return { ...catalog.decoder.decode(vin), model: 'Renamed' };
}
