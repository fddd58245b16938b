import type { WorldOutputs } from './model.ts';

/** A VIN whose vehicle is known. */
export interface LabelledVin {
  vin: string;
  expected: {
    manufacturer?: string;
    model?: string;
    modelYear?: string;
    bodyStyleNormalized?: string;
    fuelType?: string;
    displacementCc?: number;
  };
}

/** Reads labelled VINs, one JSON object a line. */
export function parseLabelled(text: string): LabelledVin[] {
  const labelled: LabelledVin[] = [];
  for (const line of text.split('\n')) if (line.trim() !== '') labelled.push(JSON.parse(line));
  return labelled;
}

/** Whether a label and an answer agree on a field; undefined where one of them says nothing. */
export function agreement(
  { expected }: LabelledVin,
  outputs: WorldOutputs,
  field: 'model' | 'body' | 'fuelType' | 'displacementCc',
): boolean | undefined {
  if (field === 'model')
    return both(expected.model, outputs.model, (label, model) => sameModel(label, model, outputs.make));
  if (field === 'body') return both(expected.bodyStyleNormalized, outputs.body, (label, body) => label === body);
  if (field === 'fuelType') {
    return both(fuelClass(expected.fuelType), fuelClass(outputs.fuelType), (label, fuel) => label === fuel);
  }
  // Listings round to the tenth of a litre.
  return both(expected.displacementCc, outputs.displacementCc, (label, cc) => Math.abs(label - cc) <= 70);
}

function both<L, A>(
  label: L | undefined,
  answer: A | undefined,
  same: (label: L, answer: A) => boolean,
): boolean | undefined {
  return label === undefined || answer === undefined ? undefined : same(label, answer);
}

/** Whether two model names are the same but for badges and spelling: "Golf GTI" and "Golf", "seria-2" and "2 Series". */
function sameModel(label: string, answer: string, make = ''): boolean {
  const wanted = squash(label);
  return answer.split('/').some((name) => {
    const given = squash(name.replace(`${make} `, ''));
    return wanted.includes(given) || given.startsWith(wanted);
  });
}

function squash(name: string): string {
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '');
  return plain.replace(/^(?:seria|series)[- ](\d)/, '$1series').replace(/[^a-z0-9]/g, '');
}

function fuelClass(fuel: string | undefined): string | undefined {
  const text = fuel?.toLowerCase() ?? '';
  if (text.includes('hybrid')) return 'hybrid';
  return ['electric', 'diesel'].find((name) => text.includes(name)) ?? (/gas|petrol/.test(text) ? 'petrol' : undefined);
}
