import { Option } from 'commander';

import type { Command } from './command.ts';
import { openConfiguredCatalog } from '../features/decode/open-catalog.ts';
import { decodeColumn } from './decode/column.ts';
import { type FormatName, FORMATS } from './decode/format.ts';
import { runDecode } from './decode/run.ts';
import { CommandFailure, type Io } from './io.ts';
import { COLOR_CHOICES, type ColorChoice } from './paint.ts';
import { configOf } from './settings.ts';

interface DecodeOptions {
  file?: string;
  column?: string;
  format: FormatName;
  explain?: boolean;
  color: ColorChoice;
}

/** Adds `decode`. */
export function addDecode(program: Command, io: Io): void {
  const decode = program
    .command('decode')
    .description('decode VINs at full depth, without a service and without being counted')
    .argument('[vin...]', 'VINs to decode')
    .option('--file <path>', 'a file with one VIN a line, or - for standard input')
    .option('--column <name>', 'the file is CSV with VINs in this column: its rows, with columns added')
    .addOption(new Option('--format <format>', 'how to print').choices(FORMATS).default('table'))
    .option('--explain', 'print the evidence for each field too (not in csv or vpic)')
    .addOption(
      new Option('--color <when>', 'colours in a table; auto: on a terminal, unless NO_COLOR is set')
        .choices(COLOR_CHOICES)
        .default('auto'),
    )
    .about(
      'One VIN gives one object or sheet, several give a list; jsonl gives one line for each VIN, in the order of the input.',
    )
    .about(
      'The format vpic gives {"vin","rows":[[elementId, value, valueId], ...]} a line: elements, values and error codes as NHTSA\'s decoder has them. It also takes the beginning of a VIN, with * for each character that is not known.',
    )
    .about(
      'With --column every row of the file stays as it is and gets a column for each field; comma, semicolon or tab.',
    )
    .about('What is no VIN gives {"vin","error"} in its place. The command fails when no VIN could be decoded at all.')
    .example('one VIN', 'marque decode 1HGCM82633A004352')
    .example('where each field comes from', 'marque decode 1HGCM82633A004352 --explain')
    .example('a file of VINs as CSV', 'marque decode --file vins.txt --format csv > report.csv')
    .example('columns added to a table', 'marque decode --file fleet.csv --column vin > fleet-decoded.csv')
    .reads('CATALOG_FILE');
  decode.action(async (vins: string[], options: DecodeOptions) => {
    const wrong = faultOf(vins, options, decode.getOptionValueSource('format') === 'default');
    if (wrong !== undefined) decode.error(`error: ${wrong}`);
    const { file, column, format, explain = false, color } = options;
    const decoder = openConfiguredCatalog(configOf(io));
    const { decoded, refused } =
      file !== undefined && column !== undefined
        ? await decodeColumn(decoder, { file, column }, io)
        : await runDecode(decoder, { vins, file, format, explain, color }, io);
    if (decoded === 0 && refused > 0) throw new CommandFailure('');
  });
}

function faultOf(
  vins: readonly string[],
  { file, column, format, explain = false }: DecodeOptions,
  anyFormat: boolean,
): string | undefined {
  if (vins.length === 0 && file === undefined) return 'give VINs, or a file of them with --file';
  if (vins.length > 0 && file !== undefined) return 'give either VINs or --file';
  if (column !== undefined) {
    if (file === undefined) return '--column names a column of --file';
    if (explain || (format !== 'csv' && !anyFormat)) return '--column gives csv, without --explain';
  }
  return explain && (format === 'csv' || format === 'vpic') ? `--explain cannot be printed as ${format}` : undefined;
}
