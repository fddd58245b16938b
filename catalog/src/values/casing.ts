import { once, readTable } from './table.ts';

/** Words in small letters inside a place's name ("Portage la Prairie", "Saint-Jean-sur-Richelieu"). */
const PLACE_PARTICLES = new Set(
  'aan am an and da de del den der des di do du el en in la le of on sul sur the upon'.split(' '),
);

/** Words in small letters inside a maker's or model's name. */
const NAME_PARTICLES = new Set('and by for of or the with'.split(' '));

const words = once(() => readTable('words.csv', ['word']));
const acronyms = once(() => readTable('acronyms.csv', ['word']));

/**
 * Capitalizes a word: "DETROIT" to "Detroit", "MCKINNEY" to "McKinney", "O'FALLON" to "O'Fallon", "LEE'S" to "Lee's".
 */
function capitalize(word: string): string {
  const lower = word.toLowerCase();
  return lower
    .replace(/^\p{L}/u, (letter) => letter.toUpperCase())
    .replace(/^Mc(\p{L})/u, (_, letter: string) => `Mc${letter.toUpperCase()}`)
    .replace(/(?<=^[DLO]['’])\p{L}(?=\p{L})/u, (letter) => letter.toUpperCase());
}

/** Puts one blank between words, none at the ends or before a comma. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/ ,/g, ',').trim();
}

/** Returns a place in capitals as people write it: "SAINT-JEAN-SUR-RICHELIEU" to "Saint-Jean-sur-Richelieu". */
export function placeCase(text: string): string {
  if (/\p{Ll}/u.test(text)) return tidy(text);
  let first = true;
  return tidy(text).replace(/[\p{L}'’]+/gu, (word, at: number, whole: string) => {
    const inside = !first && PLACE_PARTICLES.has(word.toLowerCase()) && whole.length > at + word.length;
    // After a comma or a bracket a new name starts.
    first = /^[,(/]/.test(whole.slice(at + word.length).trimStart());
    return inside ? word.toLowerCase() : capitalize(word);
  });
}

/**
 * Returns a name in which words may be shouted, as people write it. Words that are not all capitals keep their letters.
 *
 * Capitals of up to `codeLetters` letters may be a code ("GMC", "NPR") and stay unless facts/values/words.csv lists
 * them; longer ones become words unless they cannot be pronounced ("FLHTCUI") or facts/values/acronyms.csv lists them.
 */
export function nameCase(name: string, codeLetters: number): string {
  return tidy(name).replace(/(?<!\p{L})\p{L}+(?:['’]\p{L}+)?/gu, (word, at: number, whole: string) => {
    const before = whole.slice(0, at);
    // "Bob's", and the "s" of "RV's": an ending, not a word.
    const [stem, ending] = splitEnding(word);
    if (stem !== stem.toUpperCase() || (stem.length === 1 && ending === '')) return word;
    if (before !== '' && NAME_PARTICLES.has(stem.toLowerCase())) return stem.toLowerCase();
    // A possessive is a name, never a code: "DYER'S".
    if (ending === "'s" && stem.length > 2) return capitalize(stem) + ending;
    if (staysCapital(stem, codeLetters, isBesideDigit(whole, at, word.length))) return stem + ending;
    return capitalize(stem) + ending;
  });
}

function splitEnding(word: string): [string, string] {
  const ending = /['’](?:S|T|N|RE|LL)$/i.exec(word)?.[0];
  return ending === undefined ? [word, ''] : [word.slice(0, -ending.length), ending.toLowerCase()];
}

function isBesideDigit(text: string, at: number, length: number): boolean {
  return /\d/.test(text.charAt(at - 1)) || /\d/.test(text.charAt(at + length));
}

/** Returns true if a word in capitals is a code or an initialism rather than a shouted word. */
export function staysCapital(word: string, codeLetters: number, besideDigit = false): boolean {
  const key = word.toLowerCase();
  if (acronyms().has(key)) return true;
  if (besideDigit && word.length < 5) return true;
  if (words().has(key)) return false;
  return word.length <= codeLetters || !isSayable(word);
}

/** Returns true if a word has a vowel, and does not start with consonants that no English word starts with. */
function isSayable(word: string): boolean {
  if (!/[AEIOUYÀ-Ý]/.test(word)) return false;
  const start = /^[^AEIOUYÀ-Ý]+/.exec(word)?.[0] ?? '';
  return start.length < 3 || /^(?:CHL|CHR|MC|PHR|SCH|SCR|SHR|SPH|SPL|SPR|STR|THR)/.test(start);
}
