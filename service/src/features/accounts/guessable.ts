import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { GuessableQuestion } from './guessable-worker.ts';

/** Beside this file, with the ending that this file has: `.ts` in the sources, `.js` when built. */
const WORKER = new URL(`./guessable-worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** The list of passwords takes about 30 MB while it is looked into, and nothing afterwards. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 96 };

/** A password that is found with fewer tries is refused: guessers begin with these. */
const LEAST_GUESSES = 1e8;

/** Characters of a password that are no word about the person or the service. */
const LEAST_OF_ONES_OWN = 8;

/** Words that belong to this service, and to nobody's password alone. */
export const OWN_WORDS: readonly string[] = ['marque', 'vin', 'decode', 'decoder', 'vehicle'];

/**
 * Whether a password is among the first that a guesser tries: one of the 49,000 most used ones from known breaches, a
 * word about the person or this service, a run along the keyboard, a date, a repetition, or a few of these in a row.
 *
 * It is looked at in a thread of its own that ends with the answer: the list is large, people choose a password now and
 * then, and nobody's decode waits for it.
 *
 * @param words about the person: address, name, workspace.
 */
export async function isGuessable(password: string, words: readonly string[]): Promise<boolean> {
  const known = [...OWN_WORDS, ...words.flatMap(partsOf)].map((word) => word.toLowerCase());
  if (lengthWithout(password, known) < LEAST_OF_ONES_OWN) return true;
  const question: GuessableQuestion = { password, words: known };
  const worker = new Worker(WORKER, { workerData: question, resourceLimits: WORKER_LIMITS });
  const [guesses]: unknown[] = await once(worker, 'message');
  return typeof guesses !== 'number' || guesses < LEAST_GUESSES;
}

/** How much of a password is left when the words are taken out, the longest first. */
function lengthWithout(password: string, words: readonly string[]): number {
  const byLength = words.toSorted((a, b) => b.length - a.length);
  return byLength.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase()).length;
}

/** A text and the words in it, such as those of an e-mail address. */
function partsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((part) => part.length > 2);
}
