/**
 * Marks without width: of writing direction, joiners, soft hyphens and the byte order mark. Copied from chats and
 * pages.
 */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}/gu;

/**
 * Padding of a device's memory as text: NUL, other control characters but line ends, and 0xFF read as Latin-1 or as
 * UTF-8.
 */
const PADDING = /(?![\t\n\r])\p{Cc}|[\u00FF\uFFFD]/gu;

/** A formula that yields a text, written so that a spreadsheet does not change it: `="1HG…"`. */
const TEXT_FORMULA = /^=\s*"([^"]*)"$/;

/** Quotes of any alphabet around the whole text. */
const QUOTED = /^(["'`´‘’‚“”„«»‹›])(.*)["'`´‘’‚“”„«»‹›]$/s;

/** Full-width and other compatibility forms, which a Japanese or Chinese keyboard writes. */
const WIDE = /[\uFF00-\uFFEF\u3000]+/g;

/**
 * Returns the text of a cell without what spreadsheets, keyboards and devices add to it, none of which is part of a
 * VIN.
 */
export function plainText(cell: string): string {
  const visible = cell.replace(INVISIBLE, '').replace(PADDING, ' ');
  // They alone: in a long row of combining marks each one would be moved before all others.
  const narrow = visible.replace(WIDE, (wide) => wide.normalize('NFKC')).trim();
  const formula = TEXT_FORMULA.exec(narrow)?.[1];
  const text = formula ?? QUOTED.exec(narrow)?.[2] ?? narrow;
  // An apostrophe makes a spreadsheet keep the rest as text.
  return (text.startsWith("'") ? text.slice(1) : text).trim();
}
