/**
 * Returns the word of a closed list that `text` is. Throws if it is not one: a table then disagrees with the
 * vocabulary.
 */
export function wordOf<Word extends string>(list: readonly Word[], text: string): Word {
  const word = list.find((candidate) => candidate === text);
  if (word === undefined) throw new Error(`"${text}" is not in the vocabulary: ${list.join(', ')}`);
  return word;
}
