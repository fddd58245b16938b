// A VIN in ways of writing that an erasure has to find.

/** A VIN for which forms are written below. */
export const VIN = '1HGCM82633A004352';
/** Its serial number. */
export const SERIAL = '004352';
/** The VIN as a Japanese keyboard writes it. */
export const WIDE = [...VIN].map((character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)).join('');
/** Its bytes, as tools for vehicles print them, and as an address has them. */
export const BYTES = Buffer.from(VIN).toString('hex').replaceAll(/../g, '$& ').trim();
export const ESCAPED = BYTES.replaceAll(/^| /g, '%');
export const LISTED = `0x${BYTES.replaceAll(' ', ', 0x')}`;
/** With letters for digits, and in letters of mathematics, with a raised and a circled one. */
export const MISTYPED = 'iHGCM82633AOQ4352';
const MATHEMATICAL = Array.from(VIN, (each) =>
  String.fromCodePoint(each.charCodeAt(0) + (/\d/.test(each) ? 0x1d79e : 0x1d3bf)),
).join('');
export const STYLED = `\u00B9${MATHEMATICAL.slice(2, -2)}\u2461`;
/** Another VIN. */
export const OTHER = 'WVWZZZ1KZAW000001';
