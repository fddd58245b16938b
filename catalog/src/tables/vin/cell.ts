import { readVin, type VinForm } from '@marque/decoder';

import { plainText } from './plain-text.ts';
import { damageIn } from './spreadsheet.ts';
import { isHexDump, vinsIn } from './text.ts';

/** Texts longer than this are not searched for a VIN: an OBD-II answer with its frames has some hundred characters. */
export const LONGEST_TEXT = 4_096;

/**
 * Reads a cell of a table, or a text from a label or a device, as one VIN.
 *
 * Marks that spreadsheets and readers of codes put around a VIN are removed, and a text with exactly one VIN in it
 * represents that VIN. A number that was a VIN before a spreadsheet converted it is refused: its digits are lost. So is
 * a text with two VINs.
 */
export function readVinCell(cell: string): VinForm {
  if (cell.length > LONGEST_TEXT) return readVin(cell);
  const text = plainText(cell);
  const damage = damageIn(text);
  if (damage !== undefined) return { kind: 'malformed', message: damage };
  const form = isHexDump(text) ? undefined : readVin(text);
  if (form?.kind === 'vin') return form;
  const [vin, second] = vinsIn(text);
  if (second !== undefined) return { kind: 'malformed', message: severalVins(vin ?? '', second) };
  if (vin !== undefined) return { kind: 'vin', vin };
  return form ?? { kind: 'malformed', message: NO_VIN_IN_BYTES };
}

const NO_VIN_IN_BYTES =
  'These bytes hold no whole VIN. Send all frames of the answer, or the VIN as its 17 characters.';

function severalVins(first: string, second: string): string {
  return `This text has more than one VIN: ${first} and ${second}. Give each VIN a row of its own.`;
}

/** Texts sent for a VIN that are longer than this are not searched for one: what a label says is shorter. */
const LONGEST_SENT = 512;

/**
 * Returns the VIN in a text that is not one itself, such as the text of a label; undefined: it has none, or more than
 * one. For messages that ask for the VIN alone.
 */
export function vinWithin(text: string): string | undefined {
  if (text.length > LONGEST_SENT || readVin(text).kind === 'vin') return undefined;
  const form = readVinCell(text);
  return form.kind === 'vin' ? form.vin : undefined;
}

/**
 * Returns a VIN that was sent alone. The message of one that was not names the VIN that is within the text, and asks
 * for it alone.
 */
export function readVinAlone(text: string): VinForm {
  const form = readVin(text);
  if (form.kind === 'vin' || text.length > LONGEST_SENT) return form;
  const within = readVinCell(text);
  return within.kind === 'malformed'
    ? form
    : { kind: 'malformed', message: `The text contains the VIN ${within.vin}. Send the VIN alone.` };
}
