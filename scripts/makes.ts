import { readFileSync } from 'node:fs';

import { parseSync } from 'oxc-parser';

/** The code of the decoder. */
const IS_DECODER = /^decoder\/src\//;

/** The example of a field, which documents show. */
const EXAMPLE = /\bexample: '[^']*'/g;

const WORDS = /[\p{L}\d][\p{L}\d-]*(?: [\p{L}\d][\p{L}\d-]*)*/gu;

/**
 * Matches a row of facts/wmi.csv (wmi, make, manufacturer, country, vehicle type) of vehicles whose makers' names are not
 * words of a report, as the maker "Trailer" is.
 */
const ROW = /^\w+,([^",]+),(?:"[^"]*"|[^",]*),\w*,(?:Passenger car|Motorcycle|Bus|Multipurpose passenger vehicle),/gm;

let makes: ReadonlySet<string> | undefined;

/** Lists the makes that the code of the decoder names, one line each: what holds for one of them is a row of catalog/facts. */
export function makeFaults(file: string, text: string): string[] {
  if (!IS_DECODER.test(file)) return [];
  makes ??= readMakes();
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
        if (makes.has(name)) found.add(name);
      }
    }
  }
  return Array.from(found, (make) => `${file} names ${make}: write a row of catalog/facts instead`);
}

/** The most words that are compared with a make. */
const LONGEST = 3;

function readMakes(): ReadonlySet<string> {
  const rows = readFileSync('catalog/facts/wmi.csv', 'utf8').matchAll(ROW);
  return new Set(Array.from(rows, ([, make = '']) => make));
}
