import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { loadSpecs, specFactsFolder } from '../../src/specs/load.ts';
import type { SpecRow } from '../../src/specs/columns.ts';
import { ofSameGenerations, readAdeme2014, readAdemeLabels } from './ademe.ts';
import { readCanada } from './canada.ts';
import { correctNames } from './correct-names.ts';
import { readEpa } from './epa.ts';
import { readListedGenerations, withGenerations } from './listed-generations.ts';
import type { Families } from './names.ts';
import { readOmega } from './omega.ts';
import { readOpenEv } from './open-ev.ts';
import { Refusals } from './refused.ts';
import { readVca } from './vca.ts';
import { readFamilies } from './vocabulary.ts';
import { weightsOf, withClosedBodies } from './weights.ts';
import { mergeYears, writeTable } from './write.ts';

type Reader = (files: string[], families: Families, refusals: Refusals) => Promise<SpecRow[]>;

function rowsOf(id: string): readonly SpecRow[] {
  return loadSpecs().sources.find((source) => source.id === id)?.rows ?? [];
}

function ofAdeme(rows: readonly SpecRow[], year: number): SpecRow[] {
  const named = withGenerations(rows, `ademe-${year}`, readListedGenerations());
  const ofYears = withClosedBodies(ofSameGenerations(named, rowsOf('generations-europe'), year), rowsOf('europe'));
  // The years identify it: a list of one year is no evidence for a car whose year is unknown, although its generation
  // is known.
  return ofYears.map(({ generation: _generation, ...row }) => row);
}

/** The source files of each table of facts/specs: their number, and their reader. */
const READERS: Readonly<Record<string, { files: string; count: number; read: Reader }>> = {
  epa: {
    files: 'vehicles.csv[.zip] TESTS-FOLDER',
    count: 2,
    read: ([vehicles = '', tests = ''], families, refusals) =>
      readEpa(vehicles, tests, families, refusals, rowsOf('generations')),
  },
  canada: {
    files: 'body_configs.csv ymm_body_configs.csv',
    count: 2,
    read: ([bodies = '', links = ''], families) => readCanada(bodies, links, families),
  },
  omega: {
    files: 'vehicles_ldv.csv',
    count: 1,
    read: ([file = ''], families) => readOmega(file, families, rowsOf('epa')),
  },
  vca: { files: 'Euro_6_latest.csv', count: 1, read: ([file = ''], families) => readVca(file, families) },
  'ademe-2014': {
    files: 'mars-2014.csv',
    count: 1,
    read: async ([file = ''], families) => ofAdeme(await readAdeme2014(file, families), 2014),
  },
  'ademe-2024': {
    files: 'ADEME-CarLabelling.csv',
    count: 1,
    read: async ([file = ''], families) => ofAdeme(await readAdemeLabels(file, families), 2024),
  },
  weights: { files: '', count: 0, read: async () => weightsOf(loadSpecs().sources, readListedGenerations()) },
  'open-ev': { files: 'ev-data.json', count: 1, read: async ([file = ''], families) => readOpenEv(file, families) },
};

const { positionals } = parseArgs({ allowPositionals: true });
const [source = '', ...files] = positionals;
const reader = READERS[source];
if (reader === undefined || files.length !== reader.count) {
  const uses = Object.entries(READERS).map(([name, { files }]) => `  ${name} ${files}\n`);
  process.stderr.write(`Usage: node catalog/sources/specs/main.ts SOURCE FILE…\n${uses.join('')}`);
  process.exitCode = 2;
} else {
  const folder = specFactsFolder();
  const refusals = new Refusals(readFileSync(new URL('refused.csv', folder), 'utf8'), source);
  const read = await reader.read(files, readFamilies(new URL('names.csv', folder)), refusals);
  for (const row of read) refusals.apply(row);
  const rows = mergeYears(correctNames(read));
  writeTable(new URL(`${source}.csv`, folder), rows);
  process.stdout.write(`${source}.csv: ${rows.length} rows\n`);
  const unused = refusals.unused();
  if (unused.length > 0) process.stderr.write(`refused.csv: nothing is refused by lines ${unused.join(', ')}\n`);
}
