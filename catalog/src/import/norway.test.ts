import { expect, test } from 'vitest';

import type { ApprovalRow } from '../approvals/columns.ts';
import { fileOf, read, table, tablesOf } from '../testing/registers.ts';

const HEADER =
  'typegodkjenningsnr;eu_hovednummer;merkekode;modellbetegnelse;typebetegnelse;kjoretoygruppe;motorytelse;slagvolum;drivstoff;lengde;girkasse;totalvekt;gyldig_fra_unr;drivende_hjul;ytelsesmaal';

function approval(changes: Record<string, string> = {}): string {
  const record: Record<string, string> = {
    typegodkjenningsnr: '55641072011',
    merkekode: '5750',
    modellbetegnelse: 'PASSAT VARIANT',
    typebetegnelse: '3C',
    kjoretoygruppe: '101',
    motorytelse: '103,00',
    slagvolum: '1968',
    drivstoff: '2',
    lengde: '477',
    girkasse: 'MANUELL',
    totalvekt: '2140',
    gyldig_fra_unr: 'WVWAB53C??P000001',
    drivende_hjul: 'FORAN',
    ytelsesmaal: '1',
    ...changes,
  };
  return HEADER.split(';')
    .map((name) => `"${record[name] ?? ''}"`)
    .join(';');
}

const bytes = (...records: string[]): Buffer => Buffer.from(table(HEADER, records), 'latin1');

test('an approval is read with its pattern, without the number from which it applies', async () => {
  const { approvals } = await tablesOf('norway', fileOf(bytes(approval({ eu_hovednummer: 'SÅÆØ' }))));
  expect(approvals).toEqual([
    {
      mask: 'WVWAB53C..P......',
      make: 'Volkswagen',
      model: 'Passat',
      fuel: 'Diesel',
      cc: 1968,
      drive: 'Front-wheel drive',
      gearbox: 'Manual',
      powerKw: 103,
      lengthMm: 4770,
      grossKg: 2140,
    },
  ]);
});

async function one(changes: Record<string, string>): Promise<ApprovalRow | undefined> {
  const { approvals } = await tablesOf('norway', fileOf(bytes(approval(changes))));
  return approvals[0];
}

test('gasoline is taken of approvals before hybrids, and power in kilowatts alone', async () => {
  expect(await one({ drivstoff: '1', typegodkjenningsnr: '50030061996' })).toMatchObject({ fuel: 'Gasoline' });
  const later = await one({ drivstoff: '1' });
  expect(later).not.toHaveProperty('fuel');
  expect(later).not.toHaveProperty('powerKw');
  expect(await one({ ytelsesmaal: '2' })).not.toHaveProperty('powerKw');
});

test('ambiguous records are skipped, with their lines', async () => {
  const reading = await read(
    'norway',
    fileOf(
      bytes(
        approval(),
        approval({ gyldig_fra_unr: '??????3C?????????' }),
        approval({ gyldig_fra_unr: 'WVWZZZ3CZ??000001' }),
        approval({ gyldig_fra_unr: '' }),
        approval({ merkekode: '870' }),
        approval({ kjoretoygruppe: '702' }),
        approval({ totalvekt: '4915' }),
      ),
    ),
  );
  expect(reading).toMatchObject({
    kind: 'read',
    taken: 1,
    refused: [
      { reason: 'no VIN pattern, or one that fixes too little to tell an engine', records: 3, lines: ['3', '4', '5'] },
      { reason: 'neither a car nor a light van', records: 2, lines: ['7', '8'] },
      { reason: 'a make whose code is not known', records: 1, lines: ['6'] },
    ],
  });
});
