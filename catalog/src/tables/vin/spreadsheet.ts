/** The advice on keeping a column unchanged; ends every message about a changed cell. */
const AS_TEXT = 'Enter, import, or export the VINs as text, and send the file again.';

/** A number with an exponent, or with a fraction after most digits of a VIN: as a VIN its point would be dropped. */
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?E[+-]\d+|\d+[.,]\d+E\d+|\d{14,}[.,]\d*)$/i;

/** A number that a spreadsheet rounded to the 15 digits that it keeps. */
const ROUNDED = /^[1-9]\d{14}0{2}$/;

/** A formula whose value is not there; one VIN behind an equals sign is a VIN. */
const FORMULA = /^=(?![A-Z0-9]{17}$)./i;

const ENDLESS = /^[+-]?(?:inf(?:inity)?|1\.#inf|∞)$/i;

/**
 * Matches errors of Excel, LibreOffice and similar programs in any language: `#NAME?`, `#NOM?`, `#ИМЯ?`, `Err:508`, and
 * a column that is too narrow.
 */
const ERROR = /^(?:#[\p{L}\p{N}/]+[?!/]?[\p{L}\d]*[?!]?|Err:\d+|#{3,})$/u;

/** Matches the notations of programs for a cell without a value. */
const MISSING = /^(?:n\/?a|nan|null|nil|none|undefined|\\n|<na>|#n\/a|nat|\(null\)|-+|—|–)$/i;

/**
 * Returns the damage that a spreadsheet or a program has done to a VIN, as a sentence with the way to avoid it;
 * undefined: none is recognized.
 *
 * @param text without the marks that `plainText` removes.
 */
export function damageIn(text: string): string | undefined {
  if (MISSING.test(text)) return `The cell is empty: "${text}" is how a program writes that it has no value.`;
  if (ENDLESS.test(text)) {
    return `A program took the VIN for a number that is too large, and wrote "${text}". ${AS_TEXT}`;
  }
  if (text.length <= 40 && ERROR.test(text)) {
    return `"${text}" is an error of a spreadsheet, which took the VIN for a formula or cannot show it. ${AS_TEXT}`;
  }
  if (FORMULA.test(text)) {
    return `The cell has the formula ${text.slice(0, 40)} and not its value. Open the file in a spreadsheet program, save it again, and send it.`;
  }
  if (NUMBER.test(text)) {
    return `A spreadsheet or program took the VIN for a number, and wrote ${text.slice(0, 40)}: its last digits are lost. ${AS_TEXT}`;
  }
  if (ROUNDED.test(text)) {
    return `A spreadsheet keeps 15 digits of a number, and this one ends in two zeros: its last two digits are probably lost. ${AS_TEXT} If they are zeros, decode this VIN alone.`;
  }
  return undefined;
}

/** Formats a long number as a spreadsheet shows it. Beyond 15 digits its cell does not have the digits entered. */
export function asNumberShown(digits: string): string {
  return Number(digits).toExponential(14).replace('e+', 'E+');
}
