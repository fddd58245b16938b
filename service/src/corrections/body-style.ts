import type { BodyStyle } from '@marque/decoder';

/** Words of people for bodies, in the order in which they are looked for: "hatchback van" is a van. */
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

/** The canonical body style that a person most likely means; undefined: the words are not known. For suggestions only. */
export function bodyStyleMeant(label: string): BodyStyle | undefined {
  const words = plainWords(label);
  return WORDS.find(([pattern]) => pattern.test(words))?.[1];
}

/** Small letters and digits with single blanks between words: "Škoda  Octavia-RS" is "skoda octavia rs". */
export function plainWords(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
