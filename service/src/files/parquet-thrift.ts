import { TableError } from '@marque/catalog/tables';

import { tooLarge } from '../kernel/csv/unpacked.ts';

/**
 * Entries of a list: of columns, groups of rows, or keys. The library makes room for as many as are declared; where a
 * thread's memory ends, V8 ends the process rather than make a list of millions.
 */
const MOST_LISTED = 100_000;

/** Structures within one another: a file has about six. */
const DEEPEST = 32;

/** Bytes that are being read. */
interface Place {
  view: DataView;
  offset: number;
}

/**
 * Passes over a structure of Thrift's compact protocol, which the library reads afterwards. @throws TableError when a
 * list in it is too long; RangeError when it does not end.
 */
export function refuseLongLists(place: Place, depth = 0): void {
  if (depth > DEEPEST) throw damaged();
  for (;;) {
    const field = place.view.getUint8(place.offset++);
    const type = field & 0x0f;
    if (type === STOP) return;
    if (field >> 4 === 0) passNumber(place);
    passValue(place, type, depth);
  }
}

const STOP = 0;

function damaged(): TableError {
  return new TableError('The Parquet file is damaged. Send it as CSV or .xlsx.');
}

function passValue(place: Place, type: number, depth: number): void {
  // True and false are types of their own.
  if (type === 1 || type === 2) return;
  if (type === 3) place.offset += 1;
  else if (type === 7) place.offset += 8;
  else if (type === 8) passBytes(place);
  else if (type === 9) passList(place, depth);
  else if (type === 12) refuseLongLists(place, depth + 1);
  else passNumber(place);
}

function passBytes(place: Place): void {
  const length = passNumber(place);
  if (length < 0) throw damaged();
  place.offset += length;
}

function passList(place: Place, depth: number): void {
  if (depth > DEEPEST) throw damaged();
  const head = place.view.getUint8(place.offset++);
  const count = head >> 4 === 15 ? passNumber(place) : head >> 4;
  if (!(count >= 0 && count <= MOST_LISTED)) throw tooLarge('A list in the Parquet file');
  const type = head & 0x0f;
  for (let entry = 0; entry < count; entry++) {
    // In a list they take a byte.
    if (type === 1 || type === 2) place.offset += 1;
    else passValue(place, type, depth + 1);
  }
}

/** Returns a number of varying length, of which the library keeps 32 bits. */
function passNumber(place: Place): number {
  let number = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = place.view.getUint8(place.offset++);
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
}
