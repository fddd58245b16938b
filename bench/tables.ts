import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import { csvLine, type Column, type Page } from '../service/dist/kernel/csv/csv.js';
import { parquetOf } from '../service/dist/kernel/csv/parquet.js';
import { workbookOf } from '../service/dist/kernel/csv/workbook.js';
import { distinctVins } from './distinct-vins.ts';
import { type Ratio, thousands } from './ratio.ts';
import { median } from './running.ts';

export const name = 'tables';
export const title =
  'Tables of twelve columns, beside reading and writing them with the same libraries (taking turns, median)';

const ROWS = Number(process.env['MARQUE_BENCH_ROWS'] ?? 1_000_000);
const ROUNDS = Number(process.env['MARQUE_BENCH_ROUNDS'] ?? 3);

/** The folder of another build that takes its turns as well, such as the one before a change. */
const OTHER = process.env['MARQUE_BENCH_OTHER'];

/** The measurements that are taken; default: all. */
const FORMS = (process.env['MARQUE_BENCH_FORMS'] ?? 'csv fleet parquet workbook').split(' ');

/** A spreadsheet has at most 1,048,576 rows, and few have a tenth of that. */
const WORKBOOK_ROWS = Math.min(ROWS, 100_000);

/** Different VINs in a fleet's list; the other lists have VINs of all kinds of the evaluation set. */
const FLEET = 300;

/** Rows whose added columns the peer writes in turns. */
const SAMPLE_ROWS = 1_000;

const SAME_COLUMNS = 'the same, with as many columns';

const CLI = 'service/bundle/cli.js';
const OWN = fileURLToPath(new URL(`../${CLI}`, import.meta.url));
const PEER = fileURLToPath(new URL('bare-tables.ts', import.meta.url));

/** The time and the memory that a program takes. */
interface Cost {
  seconds: number;
  processorSeconds: number;
  mib: number;
}

/** A table that Marque decodes, and the programs beside it. */
interface Task {
  form: string;
  what: string;
  rows: number;
  file: string;
  write: (file: string) => Promise<void>;
  /** Options of `marque decode`. */
  options: readonly string[];
  peers: readonly { beside: string; words: readonly string[]; aim?: string }[];
}

/** `marque decode --file` of tables, on all cores. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const ratios: Ratio[] = [];
  try {
    for (const task of tasksIn(folder))
      if (FORMS.includes(task.form)) ratios.push(...(await measure(task, folder, print)));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return ratios;
}

function tasksIn(folder: string): Task[] {
  const [csv, fleet, parquet, workbook] = ['a.csv', 'b.csv', 'c.parquet', 'd.xlsx'].map((file) => join(folder, file));
  const sample = join(folder, 'sample.csv');
  const csvPeers = (file: string): Task['peers'] => [
    { beside: 'copying it with csv-parse', words: ['csv', file] },
    { beside: SAME_COLUMNS, words: ['csv', file, sample], aim: '≤ 2' },
  ];
  const writing =
    (bytesOf: typeof csvOf, rows: number, vinsOf: (count: number) => string[] = distinctVins) =>
    (file: string) =>
      pipeline(Readable.from(bytesOf(COLUMNS, pagesOf(vinsOf(rows)))), createWriteStream(file));
  const common = { rows: ROWS, options: [] };
  return [
    {
      ...common,
      form: 'csv',
      what: 'CSV to CSV, 13,000 kinds',
      file: csv ?? '',
      write: writing(csvOf, ROWS),
      peers: csvPeers(csv ?? ''),
    },
    {
      ...common,
      form: 'fleet',
      what: `CSV to CSV, ${FLEET} VINs`,
      file: fleet ?? '',
      write: writing(csvOf, ROWS, fleetVins),
      peers: csvPeers(fleet ?? ''),
    },
    {
      ...common,
      form: 'parquet',
      what: 'Parquet to Parquet, 13,000 kinds',
      file: parquet ?? '',
      write: writing((columns, pages) => parquetOf(columns, pages, 10_000), ROWS),
      options: ['--format', 'parquet'],
      peers: [
        { beside: 'copying it with hyparquet', words: ['parquet', parquet ?? ''] },
        { beside: SAME_COLUMNS, words: ['parquet', parquet ?? '', sample], aim: '≤ 2' },
      ],
    },
    {
      ...common,
      form: 'workbook',
      what: 'a workbook to CSV, 13,000 kinds',
      rows: WORKBOOK_ROWS,
      file: workbook ?? '',
      write: writing(workbookOf, WORKBOOK_ROWS),
      peers: [{ beside: 'reading it with yauzl and saxen', words: ['workbook', workbook ?? ''], aim: '≤ 3' }],
    },
  ];
}

/** Returns the VINs of a fleet, each of which comes again and again. */
function fleetVins(count: number): string[] {
  const vins = distinctVins(FLEET);
  return Array.from({ length: count }, (_, row) => vins[row % FLEET] ?? '');
}

/** Lets the programs of a task take turns. */
async function measure(task: Task, folder: string, print: (line: string) => void): Promise<Ratio[]> {
  const { what, rows, file, write, options, peers } = task;
  await write(file);
  await writeSample(folder);
  const decode = (cli: string): string[] => [cli, 'decode', '--file', file, '--column', 'VIN', ...options];
  const programs: [string, string[]][] = [
    ...peers.map(({ beside, words }): [string, string[]] => [beside, [PEER, ...words]]),
    ['Marque', decode(OWN)],
    ...(OTHER === undefined ? [] : [['the other build', decode(join(OTHER, CLI))] satisfies [string, string[]]]),
  ];
  const costs = new Map<string, Cost[]>(programs.map(([program]) => [program, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [program, words] of programs) costs.get(program)?.push(await costOf(folder, words));
  }
  rmSync(file);
  const figure = (program: string, of: keyof Cost): number =>
    median((costs.get(program) ?? []).map((cost) => cost[of]));
  const table = `${thousands(rows)} rows, ${what}`;
  print(table);
  for (const [program] of programs) {
    const [seconds, processor] = [figure(program, 'seconds'), figure(program, 'processorSeconds')];
    print(
      `  ${program}: ${seconds.toFixed(1)} s, processor ${processor.toFixed(1)} s, ${figure(program, 'mib').toFixed(0)} MiB`,
    );
  }
  const answer = `${figure('Marque', 'seconds').toFixed(1)} s, ${figure('Marque', 'mib').toFixed(0)} MiB`;
  const question = `\`marque decode --file\`, ${thousands(rows)} rows of twelve columns: ${what}?`;
  const ratios = peers.map(({ beside, aim }): Ratio => {
    const ratio = figure('Marque', 'seconds') / figure(beside, 'seconds');
    return aim === undefined ? { what: table, beside, ratio } : { what: table, beside, ratio, aim };
  });
  if (ratios[0]) ratios[0].users = { question, answer };
  return ratios;
}

const NAMES = 'id,plate,VIN,make,registered,mileage,price,fuel,city,owner,note,active'.split(',');
const COLUMNS = NAMES.map((column): Column => ({ name: column, kind: 'text' }));

/** Yields rows of twelve columns. */
async function* pagesOf(vins: readonly string[]): AsyncGenerator<Page> {
  for (const [index, vin] of vins.entries()) {
    const day = `2021-05-${String((index % 28) + 1).padStart(2, '0')}`;
    const [plate, price] = [`HH-AB ${index % 10_000}`, String((index % 50_000) + 0.5)];
    const owner = ['Würzburg', 'Ann Owner', 'seen, ok', 'true'];
    yield [[String(index), plate, vin, 'Honda', day, String(index % 300_000), price, 'petrol', ...owner]];
  }
}

async function* csvOf(columns: readonly Column[], pages: AsyncIterable<Page>): AsyncGenerator<Uint8Array> {
  let text = csvLine(
    columns.map((column) => column.name),
    ',',
  );
  for await (const page of pages) {
    for (const row of page) text += csvLine(row, ',');
    if (text.length < 100_000) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Writes a decoded table, whose added columns a peer writes. */
async function writeSample(folder: string): Promise<void> {
  const input = join(folder, 'undecoded.csv');
  await pipeline(Readable.from(csvOf(COLUMNS, pagesOf(distinctVins(SAMPLE_ROWS)))), createWriteStream(input));
  await costOf(folder, [OWN, 'decode', '--file', input, '--column', 'VIN'], 'sample.csv');
}

/** Runs a script with its output going to a file. */
async function costOf(folder: string, words: readonly string[], file = 'output'): Promise<Cost> {
  const output = openSync(join(folder, file), 'w');
  const begun = performance.now();
  // The script's own figures, at its end: its threads are in them.
  const child = spawn(process.execPath, ['--import', COSTS, ...words], {
    stdio: ['ignore', output, 'inherit', 'pipe'],
  });
  const figures: Buffer[] = [];
  child.stdio[3]?.on('data', (part: Buffer) => figures.push(part));
  const [status] = await once(child, 'close');
  closeSync(output);
  if (status !== 0) throw new Error(`${words[0]} ended with status ${status}.`);
  const seconds = (performance.now() - begun) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage = JSON.parse(Buffer.concat(figures).toString());
  return { seconds, processorSeconds: (userCPUTime + systemCPUTime) / 1e6, mib: maxRSS / 1024 };
}

const COSTS = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));
`)}`;
