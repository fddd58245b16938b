import { GUIDES_PATH } from '../guides/documents.ts';
import type { Found, Hit } from './search-index.ts';

/** The path of the reference's search. */
export const SEARCH_PATH = '/docs/search';

/** Most characters of a search that are read. */
export const LONGEST_QUERY = 100;

/** The element for results: under the box while the reader types, or on a page of their own. */
const RESULTS = 'found';

/** The box that searches the reference; `query`: on the page of its results. */
export function SearchBox({ query, found }: { query: string | undefined; found: Found | undefined }) {
  const isResults = query !== undefined;
  return (
    <form class="search" role="search" method="get" action={SEARCH_PATH} data-address={isResults ? '' : undefined}>
      <label for="search">Search the documentation</label>
      <div class="search-line">
        <input
          id="search"
          name="q"
          type="search"
          value={query}
          placeholder=" "
          maxLength={LONGEST_QUERY}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="found-count"
          aria-keyshortcuts="/"
          data-search={RESULTS}
          hx-get={SEARCH_PATH}
          hx-trigger="input delay:120ms"
          hx-target={`#${RESULTS}`}
          hx-sync="this:replace"
        />
        <kbd aria-hidden="true" hidden>
          /
        </kbd>
      </div>
      <noscript>
        <button>Search</button>
      </noscript>
      <Count found={found} />
      {isResults ? null : <div id={RESULTS} class="found floating" tabindex={-1} />}
    </form>
  );
}

/** The number of results, in a place that a screen reader announces. */
function Count({ found, isPart = false }: { found: Found | undefined; isPart?: boolean }) {
  return (
    <p id="found-count" class="hint" role="status" hx-swap-oob={isPart ? 'true' : undefined}>
      {found === undefined ? null : countText(found)}
    </p>
  );
}

function countText({ hits, more }: Found): string {
  if (more > 0) return `${hits.length + more} results; the first ${hits.length}`;
  if (hits.length === 0) return 'Nothing found';
  return hits.length === 1 ? '1 result' : `${hits.length} results`;
}

/** The part that replaces the results while the reader types. */
export function SearchPart({ query, found }: { query: string; found: Found | undefined }) {
  return (
    <>
      <Results query={query} found={found} />
      <Count found={found} isPart />
    </>
  );
}

/** The page of results. */
export function SearchPage({ query, found }: { query: string; found: Found | undefined }) {
  return (
    <>
      <h1>Search</h1>
      <div id={RESULTS} class="found">
        <Results query={query} found={found} />
      </div>
    </>
  );
}

function Results({ query, found }: { query: string; found: Found | undefined }) {
  if (found === undefined) {
    return <p>Search for an operation, a field, a status, a header, an event, or ask in your own words.</p>;
  }
  if (found.hits.length === 0) {
    return (
      <p>
        Nothing here has “{query}”. Try a field such as <a href={searchFor('powerKw')}>powerKw</a>, a status such as{' '}
        <a href={searchFor('429')}>429</a>, or fewer words; or look through the <a href={GUIDES_PATH}>guides</a>.
      </p>
    );
  }
  return (
    <ol>
      {found.hits.map(({ entry, terms }) => (
        <li key={`${entry.kind} ${entry.href}`}>
          <a href={entry.href}>
            <span class="kind">{entry.kind}</span>
            <strong class={entry.kind === 'Guide' || entry.kind === 'Operation' ? undefined : 'mono'}>
              {entry.title}
            </strong>
            {entry.context === '' ? null : <small>{entry.context}</small>}
            <Excerpt text={entry.text} terms={terms} />
          </a>
        </li>
      ))}
    </ol>
  );
}

function searchFor(query: string): string {
  return `${SEARCH_PATH}?${new URLSearchParams({ q: query }).toString()}`;
}

/** Characters of the text around the first word that was found. */
const [BEFORE, LENGTH] = [60, 160];

/** The part of the text that was found, with its words marked. */
function Excerpt({ text, terms }: { text: string; terms: Hit['terms'] }) {
  if (text === '') return null;
  const words = new RegExp(`(${terms.toSorted((a, b) => b.length - a.length).join('|')})`, 'iu');
  const from = Math.max(0, text.search(words) - BEFORE);
  // From the beginning of a word to the end of one.
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const rest = text.slice(start);
  const end = rest.length <= LENGTH ? rest.length : rest.lastIndexOf(' ', LENGTH);
  const shown = `${start > 0 ? '… ' : ''}${rest.slice(0, end)}${end < rest.length ? ' …' : ''}`;
  return (
    <span class="excerpt">
      {shown.split(words).map((part, place) => {
        // oxlint-disable-next-line react/no-array-index-key -- rendered once: a part is its place
        return place % 2 === 1 ? <mark key={place}>{part}</mark> : part;
      })}
    </span>
  );
}
