/**
 * The VIN in the hexadecimal answer of a vehicle, as ELM327, SocketCAN and tools print it: SAE J1979 mode 09 PID 02,
 * UDS and KWP 2000 data identifier F190 and 90, in the frames of ISO 15765-2, ISO 9141-2 and SAE J1939-21, or its bytes
 * alone.
 */

/** Bytes of an answer. */
type Bytes = readonly number[];

const VIN = /[A-HJ-NPR-Z0-9]{17}/;

/** A line number of ELM327, `0:`. */
const NUMBERED = /^([0-9A-F]):\s*/i;

/**
 * Identifiers of CAN, 11 bits or 29, with what candump prints before them. Without separators they make an odd number
 * of digits.
 */
const IDENTIFIER =
  /^(?:\(\S+\)\s+)?(?:v?can\d+\s+)?(?:0x)?(18 ?DA ?[0-9A-F]{2} ?[0-9A-F]{2}|(?:[0-9A-F]{8}|[0-9A-F]{3})(?=[\s#:])|[0-9A-F]{3}(?=(?:[0-9A-F]{2})+$))[\s#:]*/i;

const LENGTHS = /\[\d+\]\s*/;

/** Matches what is behind the bytes: R or T for received or sent, of asc2log and python-can, or candump's bytes as text. */
const BEHIND = /\s(?:[RT]|'.*)$/s;

/** Lines of a recording that are read: an answer has five, and other frames around it are as long as these. */
const MOST_LINES = 100;

/** Hexadecimal digits of a VIN. */
const DIGITS = 34;

/** Returns the distinct VINs that a text of hexadecimal digits gives, by each way of reading its frames. */
export function vinInFrames(text: string): string[] {
  if (!hasDigits(text)) return [];
  const lines = text
    .split(/[\r\n>;]+/)
    .map((line) => line.trim().replace(BEHIND, ''))
    .filter((line) => line !== '');
  if (lines.length > MOST_LINES) return [];
  const frames = lines.map(frameOf);
  const ways = [numbered(lines), ...transport(frames), serialLines(lines), broadcast(frames), whole(lines)];
  const found = ways.flatMap((bytes) => (bytes === undefined ? [] : vinOf(bytes)));
  return [...new Set(found)];
}

/** Returns true if a text has as many hexadecimal digits as the bytes of a VIN. */
function hasDigits(text: string): boolean {
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)) digits += 1;
    if (digits === DIGITS) return true;
  }
  return false;
}

/** Returns the text of an answer's bytes, without its service, its identifier and its padding. */
function vinOf(bytes: Bytes): string[] {
  const text = String.fromCodePoint(...bytes.filter((byte) => byte !== 0));
  const vin = VIN.exec(text);
  if (vin === null) return [];
  const [before, after] = [text.slice(0, vin.index).at(-1) ?? '', text.slice(vin.index + 17).at(0) ?? ''];
  return /[A-Z0-9]/i.test(after) || /[A-Z]/i.test(before) ? [] : [vin[0]];
}

/** Returns the bytes of a line that has nothing but hexadecimal digits, in pairs. */
function bytesOf(line: string): number[] | undefined {
  const digits = line.replaceAll(/0x|[\s,:-]/gi, '');
  if (digits.length < 2 || digits.length % 2 === 1 || !/^[0-9A-F]+$/i.test(digits)) return undefined;
  return [...Buffer.from(digits, 'hex')];
}

/** Lines of ELM327 that it numbers itself, its line of the length before them. */
function numbered(lines: readonly string[]): Bytes | undefined {
  const parts = lines.filter((line) => NUMBERED.test(line)).map((line) => bytesOf(line.replace(NUMBERED, '')) ?? []);
  const length = lines.find((line) => /^[0-9A-F]{3}$/i.test(line));
  if (parts.length === 0) return undefined;
  return parts.flat().slice(0, length === undefined ? undefined : Number.parseInt(length, 16));
}

/** A frame of a bus. */
interface Frame {
  /** The identifier of the control unit; empty: there is none. */
  unit: string;
  bytes: Bytes;
}

function frameOf(line: string): Frame {
  const unit = IDENTIFIER.exec(line);
  const rest = unit === null ? line : line.slice(unit[0].length);
  return { unit: unit?.[1] ?? '', bytes: bytesOf(rest.replace(LENGTHS, '')) ?? [] };
}

/** Joins the frames of ISO 15765-2: a first frame and those that continue it, of each control unit that answered. */
function transport(frames: readonly Frame[]): Bytes[] {
  const units = new Map<string, Bytes[]>();
  for (const { unit, bytes } of frames) {
    if (bytes.length < 2) continue;
    const own = units.get(unit);
    if (own === undefined) units.set(unit, [bytes]);
    else own.push(bytes);
  }
  return [...units.values()].flatMap(messageOf);
}

function messageOf(frames: readonly Bytes[]): Bytes[] {
  const first = frames.find(([kind = 0]) => kind >> 4 === 1);
  if (first === undefined) return [];
  const [high = 0, low = 0, ...begin] = first;
  const rest = frames.filter(([kind = 0]) => kind >> 4 === 2).toSorted(([a = 0], [b = 0]) => (a & 15) - (b & 15));
  const bytes = [...begin, ...rest.flatMap(([, ...data]) => data)];
  return [bytes.slice(0, ((high & 15) << 8) | low)];
}

/**
 * Reads ISO 9141-2, ISO 14230-4 and SAE J1850: five answers with four bytes each, with or without header and checksum.
 */
function serialLines(lines: readonly string[]): Bytes | undefined {
  const parts = new Map<number, Bytes>();
  for (const line of lines) {
    const bytes = bytesOf(line) ?? [];
    const at = [0, 3, 4].find((place) => bytes[place] === 0x49 && bytes[place + 1] === 0x02);
    const number = at === undefined ? undefined : bytes[at + 2];
    if (at !== undefined && number !== undefined && number <= 5) parts.set(number, bytes.slice(at + 3, at + 7));
  }
  if (parts.size < 5) return undefined;
  return [...parts].toSorted(([left], [right]) => left - right).flatMap(([, bytes]) => bytes);
}

/** Reads SAE J1939-21: packets of seven bytes after their number. The VIN of PGN 65260 ends in an asterisk. */
function broadcast(frames: readonly Frame[]): Bytes | undefined {
  const packets = frames.map(({ bytes }) => bytes);
  const data = packets.filter(([number = 0, ...bytes]) => number >= 1 && number <= 5 && bytes.length === 7);
  const inOrder = data.toSorted(([left = 0], [right = 0]) => left - right);
  if (inOrder.length < 3 || inOrder.some(([number], index) => number !== index + 1)) return undefined;
  return inOrder.flatMap(([, ...bytes]) => bytes);
}

/** Bytes alone, with the service and the identifier before them or without. */
function whole(lines: readonly string[]): Bytes | undefined {
  const bytes = bytesOf(lines.join(' '));
  if (bytes === undefined) return undefined;
  const known = ANSWERS.find((start) => start.every((byte, index) => bytes[index] === byte));
  return known === undefined ? bytes : bytes.slice(known.length);
}

const ANSWERS: readonly Bytes[] = [
  [0x49, 0x02, 0x01],
  [0x62, 0xf1, 0x90],
  [0x5a, 0x90],
  [0x61, 0x81],
];
