import { setImmediate as nextTurn } from 'node:timers/promises';

import MiniSearch, { type Query, type SearchResult } from 'minisearch';

/** Something of the reference that can be found. */
export interface Entry {
  kind: 'Guide' | 'Operation' | 'Schema' | 'Field' | 'Error' | 'Header' | 'Event';
  href: string;
  title: string;
  /** Its parent, or its address. */
  context: string;
  text: string;
  /** The factor of its rank among what is found. */
  weight: number;
}

/** An entry that was found. */
export interface Hit {
  entry: Entry;
  /** Its words that were looked for, in lower case. */
  terms: string[];
}

/** The results of a search. */
export interface Found {
  /** The best first. */
  hits: Hit[];
  /** The number of further ones. */
  more: number;
}

/** The largest number of results: nobody reads more, and the words are too common. */
const MOST_SHOWN = 30;

/** Characters of entries that are read in one turn of the event loop: all together take a third of a second. */
const READ_A_TURN = 4_000;
const MOST_A_TURN = 20;

/** Finds entries of the reference by words, parts of names, and the beginnings of both. */
export class ReferenceSearch {
  readonly #entries: Entry[] = [];
  readonly #index = new MiniSearch<Entry & { id: number }>({
    fields: ['title', 'context', 'text'],
    tokenize: (text) => text.split(BETWEEN_WORDS).flatMap(wordAndParts),
    searchOptions: {
      tokenize: (text) => wordsOf(text),
      boost: { title: 6, context: 2 },
      prefix: isBeginning,
      maxFuzzy: MOST_TYPOS,
      combineWith: 'AND',
      processTerm: stemOf,
      boostDocument: (id) => this.#entries[Number(id)]?.weight ?? 1,
    },
  });

  /** Reads entries, and lets other work run between their parts. */
  static async of(parts: Iterable<readonly Entry[]>): Promise<ReferenceSearch> {
    const search = new ReferenceSearch();
    for (const part of parts) {
      let some: Entry[] = [];
      let characters = 0;
      for (const [place, entry] of part.entries()) {
        some.push(entry);
        characters += entry.text.length;
        if (characters < READ_A_TURN && some.length < MOST_A_TURN && place < part.length - 1) continue;
        search.#add(some);
        [some, characters] = [[], 0];
        await nextTurn();
      }
    }
    return search;
  }

  #add(entries: readonly Entry[]): void {
    const first = this.#entries.length;
    this.#entries.push(...entries);
    this.#index.addAll(entries.map((entry, place) => ({ ...entry, id: first + place })));
  }

  /**
   * Finds entries with all the words; if there are none, entries with words like them; if there are none, entries with
   * some of these. Those that are called as the query come first.
   */
  find(query: string): Found {
    const queries = [query];
    const ways: Query[] = [
      hasOtherForms(query)
        ? // The words as they stand count more than their other forms.
          { combineWith: 'OR', queries: [asItStands(query), { combineWith: 'AND', queries }] }
        : query,
      { fuzzy: 0.25, queries },
      { combineWith: 'OR', processTerm: longEnough, queries },
    ];
    const results = ways
      .map((way) => () => this.#index.search(way))
      .reduce((found, search) => (found.length > 0 ? found : search()), [] as SearchResult[]);
    const hits = results.flatMap(({ id, terms }) => {
      const entry = this.#entries[Number(id)];
      return entry === undefined ? [] : { entry, terms };
    });
    const called = plain(query);
    const byName = Map.groupBy(hits, ({ entry }) => plain(entry.title) === called);
    // A field that several answers share is the same wherever it stands.
    const once = new Map<string, Hit>();
    for (const hit of [...(byName.get(true) ?? []), ...(byName.get(false) ?? [])]) {
      const { kind, title, text, href } = hit.entry;
      const key = kind === 'Field' ? `${title} ${text}` : href;
      if (!once.has(key)) once.set(key, hit);
    }
    const shown = [...once.values()];
    return { hits: shown.slice(0, MOST_SHOWN), more: Math.max(0, shown.length - MOST_SHOWN) };
  }
}

const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** Words of questions that carry no topic. */
const EMPTY_WORDS = new Set(
  'a an and are be by can do does example examples for from get have help how i if in is it many me my need of on or please should that the there this to us use want we what when where which who why will with you'.split(
    ' ',
  ),
);

/** Returns a title or a query without its case, and without what stands between words. */
function plain(text: string): string {
  return text.toLowerCase().split(BETWEEN_WORDS).join(' ').trim();
}

/** Letters of a short word: a tenth of all words may begin with it. */
const SHORT = 2;

/** Most letters that are changed, missing or too many in a word like one that was typed. */
const MOST_TYPOS = 2;

function isShort({ length }: string): boolean {
  return length <= SHORT;
}

/** Returns true if a word of a query stands for all that begin with it: of several short ones, only the last may. */
function isBeginning(term: string, place: number, terms: readonly string[]): boolean {
  return !isShort(term) || place === terms.length - 1 || terms.filter(isShort).length === 1;
}

/** Returns the search for the words in the very forms that were typed. */
function asItStands(query: string): Query {
  return { combineWith: 'AND', processTerm: (term) => term.toLowerCase(), queries: [query] };
}

/** Returns true if words of a query are looked for in another form as well. */
function hasOtherForms(query: string): boolean {
  return wordsOf(query).some((word) => stemOf(word) !== word.toLowerCase());
}

/** Drops the shortest of several words, any one of which is enough: they carry no topic. */
function longEnough(term: string): string | null {
  return isShort(term) ? null : stemOf(term);
}

/** The endings that a word has in some of its forms; what is left has at least three letters. */
const ENDING = /(?<=[a-z]{3})(?:s|(?<=[a-z]{4})(?:e|ed|es|ing|ions?|ations?|ures?))$/;

/** Returns a term of a query without its ending, so that "creating" finds "create": entries are found by beginnings. */
function stemOf(term: string): string {
  const word = term.toLowerCase();
  return word.endsWith('ss') ? word : word.replace(ENDING, '');
}

/** Words of a query that are searched for: each letter of a hundred as a word of its own would take long. */
const MOST_WORDS = 6;

/** Returns the first words of a query that say something; its first words, where none does. */
function wordsOf(query: string): string[] {
  const words = query.split(BETWEEN_WORDS).filter((word) => word !== '');
  const telling = words.filter((word) => !EMPTY_WORDS.has(word.toLowerCase()));
  return (telling.length > 0 ? telling : words).slice(0, MOST_WORDS);
}

/** Returns a word and its parts: `powerKw` is found by `kw`, too. */
function wordAndParts(word: string): string[] {
  const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
  return parts.length === 1 ? [word] : [word, ...parts];
}
