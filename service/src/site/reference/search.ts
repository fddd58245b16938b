import MiniSearch from 'minisearch';

/** Something of the reference that can be found. */
export interface Entry {
  kind: 'Guide' | 'Operation' | 'Schema' | 'Field' | 'Error' | 'Header' | 'Event';
  href: string;
  title: string;
  /** What it is part of, or its address. */
  context: string;
  text: string;
}

/** An entry that was found. */
export interface Hit {
  entry: Entry;
  /** Its words that were looked for, in lower case. */
  terms: string[];
}

/** What a search brings. */
export interface Found {
  /** The best first. */
  hits: Hit[];
  /** How many there are besides. */
  more: number;
}

/** So many nobody reads; the words say too little. */
const MOST_SHOWN = 30;

/** Finds entries of the reference by words, parts of names, and the beginnings of both. */
export class ReferenceSearch {
  readonly #entries: readonly Entry[];
  readonly #index = new MiniSearch<Entry & { id: number }>({
    fields: ['title', 'context', 'text'],
    tokenize: (text) => text.split(BETWEEN_WORDS).flatMap(wordAndParts),
    searchOptions: {
      tokenize: (text) => text.split(BETWEEN_WORDS),
      boost: { title: 6, context: 2 },
      prefix: true,
      combineWith: 'AND',
    },
  });

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    this.#index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  }

  /** What has all the words; where nothing has, what has words like them. */
  find(query: string): Found {
    const exact = this.#index.search(query);
    const results = exact.length > 0 ? exact : this.#index.search(query, { fuzzy: 0.25 });
    const hits = results.flatMap(({ id, terms }) => {
      const entry = this.#entries[Number(id)];
      return entry === undefined ? [] : { entry, terms };
    });
    return { hits: hits.slice(0, MOST_SHOWN), more: Math.max(0, hits.length - MOST_SHOWN) };
  }
}

const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** `powerKw` is found by `kw`, too. */
function wordAndParts(word: string): string[] {
  const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
  return parts.length === 1 ? [word] : [word, ...parts];
}
