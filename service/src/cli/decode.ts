import { type Command, Option } from 'commander';

import { openConfiguredCatalog } from '../catalog.ts';
import { type FormatName, FORMATS } from './decode/format.ts';
import { runDecode } from './decode/run.ts';
import { CommandFailure, type Io } from './io.ts';
import { configOf } from './settings.ts';

interface DecodeOptions {
  file?: string;
  format: FormatName;
  explain?: boolean;
}

/** Adds `decode`. */
export function addDecode(program: Command, io: Io): void {
  const decode = program
    .command('decode')
    .description('decode VINs at full depth, without a service and without being counted')
    .argument('[vin...]', 'VINs to decode')
    .option('--file <path>', 'a file with one VIN a line, or - for standard input')
    .addOption(new Option('--format <format>', 'how to print').choices(FORMATS).default('table'))
    .option('--explain', 'print the evidence for each field too (not in csv or vpic)')
    .addHelpText(
      'after',
      `
One VIN gives one object or sheet, several give a list; jsonl gives one line for each VIN, in the order of the input.
vpic gives {"vin","rows":[[elementId, value], ...]} a line: elements, values and error codes as NHTSA's decoder has them.
What is no VIN gives {"vin","error"} in its place. The command fails when no VIN could be decoded at all.

Examples:
  marque decode 1HGCM82633A004352
  marque decode --file vins.txt --format csv > report.csv
  marque decode 1HGCM82633A004352 --explain`,
    );
  decode.action(async (vins: string[], { file, format, explain = false }: DecodeOptions) => {
    const wrong = faultOf(vins, file, format, explain);
    if (wrong !== undefined) decode.error(`error: ${wrong}`);
    const decoder = openConfiguredCatalog(configOf(io));
    const { decoded, refused } = await runDecode(decoder, { vins, file, format, explain }, io);
    if (decoded === 0 && refused > 0) throw new CommandFailure('');
  });
}

function faultOf(
  vins: readonly string[],
  file: string | undefined,
  format: FormatName,
  explain: boolean,
): string | undefined {
  if (vins.length === 0 && file === undefined) return 'give VINs, or a file of them with --file';
  if (vins.length > 0 && file !== undefined) return 'give either VINs or --file';
  return explain && (format === 'csv' || format === 'vpic') ? `--explain cannot be printed as ${format}` : undefined;
}
