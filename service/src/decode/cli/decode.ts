import { Option } from 'commander';

import type { Command } from '../../kernel/cli/command.ts';
import { openSharedCatalog, type SharedCatalog } from '../../catalog/index.ts';
import type { DecodeCount } from './result.ts';
import { hintsOfOptions } from './candidates.ts';
import { type FormatName, FORMATS } from './format.ts';
import { type DecodeJob, runDecode } from './run.ts';
import { CommandError, type Io } from '../../kernel/cli/io.ts';
import { COLOR_CHOICES, type ColorChoice } from '../../kernel/cli/paint.ts';

const STANDARD_INPUT = '-';
const PARQUET = 'parquet';

interface DecodeOptions {
  file?: string;
  column?: string;
  encoding?: string;
  format?: FormatName | typeof PARQUET;
  json?: boolean;
  explain?: boolean;
  candidates?: boolean;
  hint?: string[];
  strict?: boolean;
  corrected?: boolean;
  color: ColorChoice;
}

/** Adds what `decode` takes. */
export function define(decode: Command, io: Io): void {
  decode
    .argument('[vin...]', 'VINs to decode; if there are none, they are read from standard input, one per line')
    .option(
      '--file <path>',
      'a file with one VIN per line, CSV, .xlsx or Parquet with a column of VINs, or JSON Lines with a field of VINs; - for standard input',
    )
    .option(
      '--column <name>',
      'the column or field of the file that contains the VINs, by name or number (default: the column whose cells are VINs)',
    )
    .option('--encoding <name>', 'the encoding of the text in the file, such as windows-1252 (default: detected)')
    .addOption(new Option('--format <format>', 'output format (default: table)').choices([...FORMATS, PARQUET]))
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .option('--explain', 'also print the evidence for each field (not in csv or vpic)')
    .option(
      '--candidates',
      'print what the VIN leaves open, narrowed down by hints; in a CSV file, columns named like hints are used as hints',
    )
    .option(
      '--hint <field=value>',
      'something you know besides the VIN, such as powerKw=77; only with --candidates; repeat for more',
      (hint: string, before: string[] | undefined) => [...(before ?? []), hint],
    )
    .option('--strict', 'exit with status 1 if any VIN could not be decoded')
    .option('--corrected', 'answer as the service does: with corrections, learned rows, and registers')
    .addOption(
      new Option('--color <when>', 'when to use colors in a table; auto: on a terminal, unless NO_COLOR is set')
        .choices(COLOR_CHOICES)
        .default('auto'),
    )
    .about(
      'For one VIN, the output is a single report; for several, a list. jsonl prints one line for each VIN, in the order of the input.',
    )
    .about(
      'The format vpic prints {"vin","rows":[[elementId, value, valueId], ...]} for each VIN, with the elements, values, and error codes of NHTSA\'s decoder. It also accepts the beginning of a VIN, with * for each unknown character.',
    )
    .about(
      'Every row of a CSV, .xlsx or Parquet file keeps its columns and gets one more for each field. Every line of JSON keeps its fields and gets one more, report or error. The delimiter of a CSV file is a comma, semicolon, or tab. To write a Parquet file, use the format parquet.',
    )
    .about(
      'An invalid VIN results in {"vin","error"}. The command fails if no VIN could be decoded, or with --strict, if any VIN could not be decoded.',
    )
    .example('one VIN', 'marque decode 1HGCM82633A004352')
    .example('where each field comes from', 'marque decode 1HGCM82633A004352 --explain')
    .example('what a VIN leaves open', 'marque decode WVWZZZ1KZCW123456 --candidates --hint fuelType=diesel')
    .example('a file of VINs as CSV', 'marque decode --file vins.txt --format csv > report.csv')
    .example('columns added to a table', 'marque decode --file fleet.csv --column vin > fleet-decoded.csv')
    .example('Parquet', 'marque decode --file fleet.parquet --format parquet > fleet-decoded.parquet')
    .reads('CATALOG_FILE', 'DATA_DIR', 'DATABASE_URL')
    .action(async (vins: string[], options: DecodeOptions) => act(decode, vins, options, io));
}

async function act(decode: Command, vins: string[], options: DecodeOptions, io: Io): Promise<void> {
  const isPiped = vins.length === 0 && io.stdin.isTTY !== true;
  const { column, encoding, explain = false, color } = options;
  const file = options.file ?? (isPiped ? STANDARD_INPUT : undefined);
  const candidates = options.candidates === true ? hintsOfOptions(options.hint ?? []) : undefined;
  if (candidates === undefined && options.hint !== undefined) decode.error('error: use --hint with --candidates');
  const job = { vins, file, column, encoding, format: formatOf(options), explain, candidates, color };
  const wrong = faultOf(job) ?? terminalFault(options, io);
  if (wrong !== undefined) decode.error(`error: ${wrong}`);
  const { decoded, refused } = await runAs(options, job, io);
  if (refused > 0 && (decoded === 0 || options.strict === true)) throw new CommandError('');
}

/** Returns the format of the options. Parquet has the columns of CSV. */
function formatOf({ json, format }: DecodeOptions): FormatName | undefined {
  if (json === true) return 'json';
  return format === PARQUET ? 'csv' : format;
}

function terminalFault({ format }: DecodeOptions, { stdout }: Io): string | undefined {
  return format === PARQUET && stdout.isTTY === true
    ? 'cannot print Parquet to a terminal: add > FILE.parquet'
    : undefined;
}

async function runAs({ corrected, format }: DecodeOptions, job: DecodeJob, io: Io): Promise<DecodeCount> {
  // Read by itself: the schema of all settings takes longer to load than a decode.
  const catalogFile = io.env['CATALOG_FILE']?.trim();
  const catalog = openSharedCatalog({ catalogFile: catalogFile === '' ? undefined : catalogFile });
  const full = { ...job, isParquet: format === PARQUET };
  return corrected === true ? runCorrected(catalog, full, io) : runDecode(catalog, full, io);
}

/** Restricts decoding to this thread: others open the catalog, which has neither corrections nor later imports. */
const ONE_THREAD = { most: 1, fromBytes: Number.POSITIVE_INFINITY };

/** Decodes with the corrections. Loaded on demand: a decode by the catalog alone needs no database. */
async function runCorrected({ bytes, decoder }: SharedCatalog, job: DecodeJob, io: Io): Promise<DecodeCount> {
  const { withDatabase } = await import('../../kernel/cli/settings.ts');
  const { correctedDecoder, LiveOverrides } = await import('../../corrections/index.ts');
  const { LiveCatalog } = await import('../../catalog/index.ts');
  return withDatabase(io, async (database) => {
    const live = await LiveOverrides.open(database);
    const overlaid = await LiveCatalog.open(decoder, database);
    try {
      const catalog = { bytes, decoder: correctedDecoder(overlaid, live.current) };
      return await runDecode(catalog, { ...job, threads: ONE_THREAD }, io);
    } finally {
      await overlaid.close();
      await live.close();
    }
  });
}

function faultOf({ vins, file, column, encoding, format, explain, candidates }: DecodeJob): string | undefined {
  if (candidates !== undefined && (explain || format === 'vpic'))
    return '--candidates cannot be combined with --explain or the format vpic';
  if (vins.length === 0 && file === undefined) return 'give VINs, or a file with --file';
  if (vins.length > 0 && file !== undefined) return 'give either VINs or --file, not both';
  if (column !== undefined && file === undefined) return '--column needs --file';
  if (encoding !== undefined && file === undefined) return '--encoding needs --file';
  return explain && (format === 'csv' || format === 'vpic') ? `--explain cannot be printed as ${format}` : undefined;
}
