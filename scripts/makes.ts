import { readFileSync } from 'node:fs';

import { parseSync } from 'oxc-parser';

/** The code of the decoder. */
const IS_DECODER = /^decoder\/src\//;

/** The example of a field, which documents show. */
const EXAMPLE = /\bexample: '[^']*'/g;

const WORDS = /[\p{L}\d][\p{L}\d-]*(?: [\p{L}\d][\p{L}\d-]*)*/gu;

/**
 * Matches a row of facts/wmi.csv (wmi, make, manufacturer, country, vehicle type) of vehicles whose makers' names are
 * not words of a report, as the maker "Trailer" is.
 */
const ROW = /^\w+,([^",]+),(?:"[^"]*"|[^",]*),\w*,(?:Passenger car|Motorcycle|Bus|Multipurpose passenger vehicle),/gm;

/** Matches a row of facts/values/drive-names.csv (name, drive, maker, apart) with the trade name of one maker. */
const TRADE_NAME = /^([^,]+),(?:all|front|rear|two),[^,]+,/gm;

let names: ReadonlySet<string> | undefined;

/**
 * Lists the makes, and the trade names of driven wheels in any case, that the code of the decoder names, one line each:
 * what holds for one maker is a row of catalog/facts.
 */
export function makeFaults(file: string, text: string): string[] {
  if (!IS_DECODER.test(file)) return [];
  names ??= readNames();
  let code = text;
  for (const { start, end } of parseSync(file, text).comments) {
    code = code.slice(0, start) + code.slice(start, end).replace(/\S/g, ' ') + code.slice(end);
  }
  const found = new Set<string>();
  for (const [words] of code.replace(EXAMPLE, '').matchAll(WORDS)) {
    const single = words.split(' ');
    for (let from = 0; from < single.length; from++) {
      for (let to = from + 1; to <= single.length && to <= from + LONGEST; to++) {
        const name = single.slice(from, to).join(' ');
        if (names.has(name) || names.has(name.toLowerCase())) found.add(name);
      }
    }
  }
  return Array.from(found, (name) => `${file} names ${name}: write a row of catalog/facts instead`);
}

/** The most words that are compared with a name. */
const LONGEST = 3;

/** Returns the makes as they are written, and the trade names in lower case. */
function readNames(): ReadonlySet<string> {
  const makes = readFileSync('catalog/facts/wmi.csv', 'utf8').matchAll(ROW);
  const drives = readFileSync('catalog/facts/values/drive-names.csv', 'utf8').matchAll(TRADE_NAME);
  return new Set([
    ...Array.from(makes, ([, make = '']) => make),
    ...Array.from(drives, ([, name = '']) => name.toLowerCase()),
  ]);
}
