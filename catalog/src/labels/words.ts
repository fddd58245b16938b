/** Turns what labels and reports say into words that compare: sellers write the same thing in many ways. */

/** Letters and digits only, in lower case and without accents. */
function squash(text: string): string {
  return plain(text).replaceAll(/[^a-z0-9]/g, '');
}

function plain(text: string): string {
  return text.normalize('NFD').toLowerCase();
}

const MAKES: ReadonlyMap<string, string> = new Map([
  ['vw', 'volkswagen'],
  ['mercedes', 'mercedesbenz'],
  ['mercedesmaybach', 'mercedesbenz'],
  ['mercedesamg', 'mercedesbenz'],
  ['chevy', 'chevrolet'],
  ['rangerover', 'landrover'],
  ['vaz', 'lada'],
  ['avtovaz', 'lada'],
  ['herohonda', 'hero'],
  ['heromotocorp', 'hero'],
  ['heartlandrv', 'heartland'],
  ['brp', 'canam'],
  ['marutisuzuki', 'suzuki'],
  ['mitsubishifuso', 'mitsubishi'],
]);

/** Returns one word for a make, in any spelling. */
export function makeWord(make: string): string {
  const word = squash(make);
  return MAKES.get(word) ?? word;
}

const MARKETING = new Set(['new', 'the', 'amg', 'geo', 'scion', 'mercedes', 'benz', 'maybach']);

/** Returns a model as comparable words: without the make and marketing words, series written one way. */
export function modelWords(make: string, model: string): string[] {
  const maker = makeWord(make);
  // A Volkswagen "T4 (Transporter)" is a Transporter, as in its brackets; brackets elsewhere contain a variant or a
  // note.
  const named = plain(model).replace(/\bt[- ]?([4-7])\b(?= *\()/, maker === 'volkswagen' ? 'transporter' : 't$1');
  let text = named
    .replaceAll(/\(.*?\)/g, ' ')
    .replace(/megane[- ]scenic/, 'scenic')
    .replace(/^(?:clas(?:se|a) |mazdaspeed *)/, '')
    .replaceAll('&', ' and ')
    .replaceAll(' cross country', ' cc')
    .replaceAll(/[^a-z0-9/ ]/g, ' ');
  if (maker === 'mazda') text = text.replace(/\bmazda ?(\d|[a-z])/, '$1').replace(/^speed ?/, '');
  const words = text.split(/\s+/).filter((word) => word !== '' && !MARKETING.has(word) && squash(word) !== maker);
  return familyWords(maker, words);
}

/** Families whose members people name by family, badge or class alike. */
function familyWords(maker: string, words: string[]): string[] {
  const [first = '', second = ''] = words;
  if (maker === 'bmw') {
    const named = /^(?:seria|serie|series)$/.test(first) ? second.charAt(0) : undefined;
    const series = named ?? /^(\d)(?:series|er)?$/.exec(first)?.[1] ?? /^[ml]?(\d)\d\d/.exec(first)?.[1];
    return series !== undefined && /\d/.test(series) ? [`${series}series`] : words;
  }
  if (maker === 'mercedesbenz') {
    const family = MERCEDES_CLASS.exec(first)?.[1];
    return family === undefined ? words : [family === 'ml' ? 'm' : family];
  }
  if (maker === 'lexus' || maker === 'infiniti') {
    return [/^([a-z]{1,3})\d+[a-z]*$/.exec(first)?.[1] ?? first, ...words.slice(1)];
  }
  if (maker === 'saturn' && /^(?:s[lcw]\d?|s)$/.test(first)) return ['sseries'];
  if (maker === 'mini' && (first === 'hardtop' || first === 'cooper')) return ['cooper', ...words.slice(1)];
  return words;
}

const MERCEDES_CLASS =
  /^(a|b|c|e|g|r|s|v|x|cl|clc|cle|cla|clk|cls|gl|gla|glb|glc|gle|glk|gls|m|ml|sl|slc|slk|slr|sls|eqa|eqb|eqc|eqe|eqs|eqv)(?:class|klasse|\d{2,3}|$)/;

/** Returns true if two names mean the same model: one begins with the words of the other. */
export function modelsAgree(make: string, label: string, answer: string): boolean {
  if (label === answer) return true;
  const wanted = modelWords(make, label);
  const isNumbered = NUMBERED.has(makeWord(make));
  return answer
    .split('/')
    .some(
      (alternative) =>
        (isNumbered && worksNumbersAgree(label, alternative)) || namesAgree(wanted, modelWords(make, alternative)),
    );
}

/** Makes whose models people name by works number, by name or by both: "2170", "Priora", "2170 Priora". */
const NUMBERED: ReadonlySet<string> = new Set(['lada', 'kamaz', 'uaz', 'zaz']);

/**
 * Returns true if one works number begins the other ("2114" is the family of "211440-26"); without two, if the label
 * contains the answer's name.
 */
function worksNumbersAgree(label: string, answer: string): boolean {
  const [wanted, got] = [worksNumberOf(label), worksNumberOf(answer)];
  if (wanted !== undefined && got !== undefined) return wanted.startsWith(got) || got.startsWith(wanted);
  const name = lettersOf(answer);
  return name !== '' && lettersOf(label).includes(name);
}

function worksNumberOf(model: string): string | undefined {
  return /\d{4,6}/.exec(model)?.[0];
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function namesAgree(wanted: readonly string[], got: readonly string[]): boolean {
  if (wanted.length === 0 || got.length === 0) return false;
  const [short, long] = wanted.length < got.length ? [wanted, got] : [got, wanted];
  if (short.every((word, index) => word === long[index])) return true;
  const [a, b] = [wanted.join(''), got.join('')];
  const [start, whole] = a.length < b.length ? [a, b] : [b, a];
  // "Mazda 3" is not a prefix of "Mazda 323": digits must end.
  const runsOn = /\d$/.test(start) && /^\d/.test(whole.slice(start.length));
  return start.length >= 3 && whole.startsWith(start) && !runsOn;
}

type Words = readonly (readonly [pattern: RegExp, word: string])[];

const BODIES: Words = [
  [/motorcycle|scooter|moto/, 'motorcycle'],
  [/cabrio|convert|roadster|spyder|spider|targa/, 'cabrio'],
  [
    /crew|double cab|quad|king cab|supercab|supercrew|regular cab|access cab|extended cab|mega cab|pick-?up|club cab|xtracab|cab$/,
    'pickup',
  ],
  [/wagon|estate|variant|touring|avant|kombi|tourer|break|sw$/, 'wagon'],
  [/minivan|van|mpv\b(?!.*suv)|bus$|multivan/, 'van'],
  [/suv|sport utility|crossover|off-?road/, 'suv'],
  [/hatch|liftback|notchback|sportback|[35][- ]?door/, 'hatchback'],
  [/coupe|coupé/, 'coupe'],
  [/sedan|saloon|limousine/, 'sedan'],
];

const FUELS: Words = [
  [/plug|hybrid|hev/, 'hybrid'],
  [/electr|bev/, 'electric'],
  [/diesel/, 'diesel'],
  [/gas|petrol|flex|e85|ethanol/, 'gasoline'],
];

const DRIVES: Words = [
  [/awd|4wd|4x4|all.?wheel|four.?wheel|4matic|quattro|xdrive/, 'awd'],
  [/fwd|front|4x2.*front/, 'fwd'],
  [/rwd|rear/, 'rwd'],
];

export const bodyWord = (text: string): string | undefined => wordIn(BODIES, text);
export const fuelWord = (text: string): string | undefined => wordIn(FUELS, text);
export const driveWord = (text: string): string | undefined => wordIn(DRIVES, text);

/** Returns manual or automatic; undefined for a label that names both. */
export function gearWord(text: string): string | undefined {
  if (/manual/i.test(text) && !/automat/i.test(text)) return 'manual';
  return /auto|cvt|dct|dsg|dual|variable/i.test(text) ? 'automatic' : undefined;
}

function wordIn(words: Words, text: string): string | undefined {
  const lower = text.toLowerCase();
  return words.find(([pattern]) => pattern.test(lower))?.[1];
}
