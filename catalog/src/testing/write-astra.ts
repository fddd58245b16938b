import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

import { loadWorld } from '../world/load.ts';
import { astraHeader, astraLine } from './astra-file.ts';

/** The number of records of the official file of July 2026. */
const RECORDS = 210_000;
/** Brings a record to the 1.5 kB that the official file has. */
const REMARKS = 1200;
const CHARACTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';

/**
 * `node catalog/dist/src/testing/write-astra.js FILE [RECORDS]`: writes a file of the form and size of
 * TG-Automobil.txt, of types that never were, for measuring `marque catalog import astra FILE`. The same each time.
 */
const [file, records = String(RECORDS)] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node catalog/dist/src/testing/write-astra.js FILE [RECORDS]');

const families = [
  ...new Map(
    loadWorld().flatMap(({ make, wmis, rows }) =>
      rows.flatMap(({ outputs }) => {
        const maker = outputs.make ?? make;
        const [wmi] = wmis;
        if (maker === undefined || outputs.model === undefined || wmi === undefined || wmi.length !== 3) return [];
        return [[`${maker}|${outputs.model}`, { maker, model: outputs.model, wmi }] as const];
      }),
    ),
  ).values(),
];

let seed = 1;
/** Numbers that look random: a linear congruential generator. */
function next(below: number): number {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return Math.floor((seed / 2 ** 32) * below);
}

const output = createWriteStream(file);
output.write(astraHeader());
for (let index = 0; index < Number(records); index++) {
  const { maker, model, wmi } = families[next(families.length)] ?? { maker: '', model: '', wmi: '' };
  const code = Array.from({ length: 6 }, () => CHARACTERS.charAt(next(CHARACTERS.length))).join('');
  const cc = 900 + next(40) * 50;
  const empty = 900 + next(60) * 20;
  const line = astraLine({
    Typengenehmigungsnummer: `1${index.toString(36).toUpperCase().padStart(5, '0')}`,
    '03 Fahrzeugklasse': next(3) === 0 ? 'N2' : 'M1',
    '04 Marke': maker.toUpperCase(),
    '04 Typ': model,
    '06 Vorziffer': `${wmi}${code}........`,
    '07 Karosserieform': ['Limousine', 'Stationswagen', 'Cabriolet'][next(3)] ?? '',
    '17 Achsantrieb': ['V', 'H', 'V+H'][next(3)] ?? '',
    '18 Getriebe 1': ['m5', 'm6', 'a8'][next(3)] ?? '',
    '26 Bauart Treibstoff': ['B', 'D'][next(2)] ?? '',
    '27 Hubraum': String(cc),
    '28 Leistung kW': String(Math.round(cc * 0.06)),
    '52 Leergewicht von': String(empty),
    '53 Garantiegewicht von': String(empty + 500),
    'Bemerkungen Z1': 'x'.repeat(REMARKS),
  });
  if (!output.write(line)) await once(output, 'drain');
}
output.end();
await once(output, 'finish');
