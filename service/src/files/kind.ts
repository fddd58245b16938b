import { isUtf16 } from '../kernel/csv/csv.ts';

const TEXT_ENDINGS = /\.(?:csv|tsv|txt)$/i;
const WORKBOOK_ENDINGS = /\.(?:xlsx?|xlsm|ods|numbers)$/i;

/** The first bytes of what people send by mistake, or on purpose: nothing is unpacked here. */
const PACKED = [
  [0x50, 0x4b],
  [0x1f, 0x8b],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x25, 0x50, 0x44, 0x46],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x42, 0x5a, 0x68],
];

/** Why a file is not a list of VINs, by its name and its content; undefined: it may be one. */
export function fileFault(name: string, bytes: Uint8Array): string | undefined {
  const isPacked = PACKED.some((start) => start.every((byte, index) => bytes[index] === byte));
  if (WORKBOOK_ENDINGS.test(name) || (isPacked && TEXT_ENDINGS.test(name)))
    return 'This is a workbook or a compressed file. Save the sheet as CSV, and send that.';
  const hasOtherEnding = /\.[A-Za-z0-9]{1,8}$/.test(name) && !TEXT_ENDINGS.test(name);
  if (hasOtherEnding || isPacked || hasNul(bytes)) return 'This is not a text file. Send a CSV or text file.';
  return undefined;
}

/** UTF-16, which has a mark at its beginning, is full of zero bytes; any other text has none. */
function hasNul(bytes: Uint8Array): boolean {
  return !isUtf16(bytes) && bytes.includes(0);
}
