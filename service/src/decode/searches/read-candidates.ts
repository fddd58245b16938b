import { type CandidatesAnswer, type Decoder, type Hints, readVin } from '@marque/decoder';

/** The outcome of reading a text. */
export type ReadCandidates =
  | { kind: 'malformed'; message: string }
  /** `isWhole`: not masked or cut. */
  | { kind: 'read'; vin: string; isWhole: boolean; answer: CandidatesAnswer };

/** Finds the fields that a VIN, a masked VIN or its beginning leaves open. Charges nothing. */
export function readCandidates(decoder: Pick<Decoder, 'candidates'>, text: string, hints: Hints): ReadCandidates {
  const form = readVin(text);
  const vin = form.kind === 'vin' ? form.vin : text.trim().toUpperCase();
  const answer = form.kind === 'vin' || isMasked(vin) ? tried(() => decoder.candidates(vin, hints)) : undefined;
  if (answer === undefined) return { kind: 'malformed', message: form.kind === 'malformed' ? form.message : NO_VIN };
  return { kind: 'read', vin, isWhole: form.kind === 'vin', answer };
}

const NO_VIN = 'This is neither a VIN nor a masked one.';

function isMasked(text: string): boolean {
  return /^[A-HJ-NPR-Z0-9*]{11,17}$/.test(text);
}

/** Returns the decoder's answer; undefined if it cannot read the text. */
function tried(ask: () => CandidatesAnswer): CandidatesAnswer | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
