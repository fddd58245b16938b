import type { BodyStyle } from '@marque/decoder';

/** Everyday words for body styles, in the order of the search: "hatchback van" is a van. */
const WORDS: readonly (readonly [RegExp, BodyStyle])[] = [
  [/\b(?:cabrio\w*|convertible|roadster|spider|spyder|drophead|targa)\b/, 'cabrio'],
  [/\b(?:pick ?up|ute)\b/, 'pickup'],
  [/\b(?:station wagon|wagon|estate|touring|tourer|avant|kombi|combi|variant|shooting brake|break|sw)\b/, 'wagon'],
  [/\b(?:suv|crossover|cuv|off ?roader|sport utility)\b/, 'suv'],
  [/\b(?:mini ?van|van|mpv|panel van|people carrier|multi purpose)\b/, 'van'],
  [/\b(?:hatch\w*|liftback|sportback|[35] ?door)\b/, 'hatchback'],
  [/\b(?:coupe)\b/, 'coupe'],
  [/\b(?:sedan|saloon|limousine|notchback|berline|berlina)\b/, 'sedan'],
  [/\b(?:motor ?cycle|motor ?bike|scooter|moped)\b/, 'motorcycle'],
  [/\b(?:trailer|caravan)\b/, 'trailer'],
  [/\b(?:bus|coach)\b/, 'bus'],
  [/\b(?:truck|lorry|tractor)\b/, 'truck'],
];

/** The canonical body style that a person most likely means; undefined: unknown words. For suggestions only. */
export function bodyStyleMeant(label: string): BodyStyle | undefined {
  const words = plainWords(label);
  return WORDS.find(([pattern]) => pattern.test(words))?.[1];
}

/** Lowercase letters and digits with single spaces between words: "Škoda  Octavia-RS" is "skoda octavia rs". */
export function plainWords(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
