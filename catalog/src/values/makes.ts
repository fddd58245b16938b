import { nameCase, tidy } from './casing.ts';
import { keyOf, once, readTable } from './table.ts';

const makes = once(() => readTable('makes.csv', ['vpic', 'name']));

/** Legal forms at the end of a maker's name, after a blank or a comma. */
const LEGAL_FORM =
  /(?:,\s*|\s+)(?:inc(?:orporated|orported)?|l\.?p|gmbh(?: & co\.? kg)?|co\.?,? ltd|l\.?l\.?c|l\.?l\.?p|ltd|limited|co|corp|corporation|company|plc|pty|s\.p\.a|spa|s\.a\.?|s\.r\.l|srl|b\.v|n\.v|s\.?\s?a\.?\s?p?\.?i?\.?\s?de\s?c\.?\s?v|s\.? de r\.?\s?l\.?(?: de c\.?\s?v)?)\.?,?$/i;

/** The trade name after "doing business as". */
const TRADE_NAME = /\b(?:dba|d\.b\.a\.?|d\/b\/a|trading as|t\/a|o\/a)\.?:?\s+(?=\S)/i;

/** Capitals of up to this many letters in a maker's name may be its initials. */
const INITIALS = 3;

/**
 * Returns a make as people write it: "HONDA" to "Honda", "MERCEDES-BENZ" to "Mercedes-Benz", "SMART" to "smart",
 * "SPARTAN FIRE, LLC" to "Spartan Fire".
 *
 * Takes vPIC's spelling in any case; give the one of the Make table, for the small makers whose own letters ("eTuk")
 * capitals lose. Known makes are in facts/values/makes.csv.
 */
export function makeName(vpicMake: string): string {
  const text = tidy(vpicMake);
  const known = makes().get(keyOf(text));
  if (known) return known.name;
  const trade = TRADE_NAME.exec(text);
  const own = trade ? text.slice(trade.index + trade[0].length).replace(/^([^(]*)\)$/, '$1') : text;
  const short = withoutLegalForm(withoutOwner(own));
  return makes().get(keyOf(short))?.name ?? nameCase(short, INITIALS);
}

/**
 * Removes the owner: "Atlas (Vexas Corp.)" to "Atlas", "MVP RV Inc. (Thor California)" to "MVP RV", "Olympus
 * Technologies Inc. / Olympus" to "Olympus".
 */
function withoutOwner(name: string): string {
  const [, maker = '', brackets = ''] = /^(.{3,}?)\s*\(([^()]+)\)$/.exec(name) ?? [];
  if (isLegalName(maker) || isLegalName(brackets)) return maker;
  const [owner = '', brand = ''] = name.split(/\s*\/\s*/);
  if (brand.length > 3 && isLegalName(owner)) return brand;
  return name.replace(/,?\s+(?:inc|llc|ltd|incorp)\.?\s+(?:of .*|usa|trailers?)$/i, '');
}

/** Returns true if a text ends in a legal form: then it names a company, not a vehicle. */
export function isLegalName(text: string): boolean {
  return LEGAL_FORM.test(text);
}

function withoutLegalForm(name: string): string {
  let short = name;
  for (let last = ''; short !== last;) {
    last = short;
    const cut = short.replace(LEGAL_FORM, '').replace(/[\s,]+$/, '');
    if (cut !== '' && !/^(?:the|and)$/i.test(cut) && !/(?:&|\band)$/i.test(cut)) short = cut;
  }
  return short === name ? name : short.replace(/^the (?=\S)/i, '');
}
