import { type Decoder, HINT_NAMES, type Hints, readHints, readVin } from '@marque/decoder';

import { CommandError } from '../../kernel/cli/io.ts';
import { visible } from '../../kernel/cli/terminal-text.ts';
import type { ReportResult } from './result-types.ts';

/** The start of a VIN at least, with `*` for characters that are not known. */
const MASKED = /^[A-HJ-NPR-Z0-9]{3}[A-HJ-NPR-Z0-9*]{8,14}$/;

/** Decodes one text with its open fields; a VIN may lack its end, and have `*` for unknown characters. */
export function candidatesOf(decoder: Decoder, text: string, hints: Hints): ReportResult {
  const form = readVin(text);
  const masked = text.replaceAll(/[\s.-]/g, '').toUpperCase();
  const vin = form.kind === 'vin' ? form.vin : MASKED.test(masked) ? masked : undefined;
  if (vin !== undefined) return { kind: 'candidates', answer: decoder.candidates(vin, hints) };
  return { kind: 'error', vin: text, error: form.kind === 'malformed' ? form.message : '' };
}

/**
 * Parses hints of the command line: `powerKw=77`.
 *
 * @throws CommandError that names their faults.
 */
export function hintsOfOptions(options: readonly string[]): Hints {
  const pairs = options.map((option) => {
    const at = option.indexOf('=');
    if (at < 1) throw new CommandError(`--hint takes FIELD=VALUE, not ${visible(option)}.`);
    return [option.slice(0, at), option.slice(at + 1)] as const;
  });
  const form = readHints(Object.fromEntries(pairs));
  if (form.kind === 'malformed') throw new CommandError(form.messages.join('\n'));
  return form.hints;
}

/** Reads the hints of a CSV file's rows from the columns that are named like hints; an invalid cell is ignored. */
export function hintsOfRows(header: readonly string[], given: Hints): (row: readonly string[]) => Hints {
  const places = HINT_NAMES.flatMap((name) => {
    const place = header.findIndex((column) => column.trim().toLowerCase() === name.toLowerCase());
    return place < 0 ? [] : [{ name, place }];
  });
  return (row) => {
    const hints = { ...given };
    for (const { name, place } of places) {
      const form = readHints({ [name]: row[place] });
      if (form.kind === 'hints') Object.assign(hints, form.hints);
    }
    return hints;
  };
}
