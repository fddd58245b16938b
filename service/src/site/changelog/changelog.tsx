import { existsSync, readFileSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';

import { type CatalogVersion, catalogVersions } from '../../catalog/index.ts';
import type { Override } from '../../corrections/index.ts';
import { FIELDS } from '../../report/index.ts';
import { CachedPages } from '../../kernel/ui/html.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Day } from '../../kernel/ui/times.tsx';
import { withCode } from '../reference/parts.tsx';
import { type FeedEntry, sendFeed } from '../feed.ts';
import { pageOf } from '../guides/documents.ts';
import { kept } from '../kept.ts';
import type { SiteParts } from '../slice.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

/** Catalogs that are shown; `GET /api/catalog` compares any two. */
const MOST_CATALOGS = 20;

/** Corrections that are read: those of the catalogs that are shown. */
const MOST_CORRECTIONS = 500;

/** The time for which the page and what it is made of are used again. */
const GOOD_FOR_MS = 1_000;

/** Adds `/changelog`: what changed in the product, and in what VINs are decoded with. */
export function addChangelog(scope: FastifyInstance, deps: SiteParts & PageKit): void {
  const releases = readReleases();
  const read = kept(
    () =>
      Promise.all([
        catalogVersions(deps.database, MOST_CATALOGS),
        deps.corrections.overrides({ limit: MOST_CORRECTIONS }),
      ]),
    () => GOOD_FOR_MS,
  );
  const pages = new CachedPages(GOOD_FOR_MS);
  scope.get('/changelog', async (_request, reply) => {
    const [catalogs, corrections] = await read();
    return pages.send(reply, '', () => ({
      title: 'Changelog',
      description: 'What changed in Marque, and in the catalog that VINs are decoded with.',
      baseUrl: deps.baseUrl(),
      current: '/changelog',
      isPublic: true,
      feed: '/changelog.atom',
      styles: ['reference.css'],
      children: (
        <>
          <h1>Changelog</h1>
          <p class="lede">
            What changed in Marque, and in <a href="#catalog">the catalog</a> that VINs are decoded with.
          </p>
          {releases.map((release) => (
            <ReleaseNotes key={release.version} release={release} />
          ))}
          <Catalogs catalogs={catalogs} corrections={corrections} />
        </>
      ),
    }));
  });
  scope.get('/changelog.atom', async (_request, reply) => {
    const [catalogs] = await read();
    const entries = [...releases.flatMap(entryOfRelease), ...catalogs.map(entryOfCatalog)];
    return sendFeed(reply, {
      title: 'Changelog',
      path: '/changelog',
      baseUrl: deps.baseUrl(),
      sinceMs: deps.vitals.startedAtMs,
      entries: entries.toSorted((one, other) => other.atMs - one.atMs),
    });
  });
}

/** Returns the entry of a release; none for a version without a day, which is not released. */
function entryOfRelease({ version, date, summary, kinds }: Release): FeedEntry[] {
  const atMs = Date.parse(date ?? '');
  if (Number.isNaN(atMs)) return [];
  const text = [...summary, ...kinds.flatMap(({ name, changes }) => [name, ...changes])]
    .join('\n')
    .replaceAll(/\[([^\]]+)\]\(\S+?\)/g, '$1');
  return [{ path: `/changelog#v${version}`, title: `Marque ${version}`, atMs, text }];
}

function entryOfCatalog({ version, firstUsedAtMs, state }: CatalogVersion): FeedEntry {
  const text = `In use with ${count(state.counts['rows'] ?? 0)} rows of facts.`;
  return { path: `/changelog#catalog-${version}`, title: `Catalog ${version}`, atMs: firstUsedAtMs, text };
}

function ReleaseNotes({ release: { version, date, summary, kinds } }: { release: Release }) {
  return (
    <section class="release" id={`v${version}`}>
      <h2>
        {version}
        {date === undefined ? null : (
          <small>
            <Day ms={Date.parse(date)} />
          </small>
        )}
      </h2>
      {summary.map((text) => (
        <p key={text}>{marked(text)}</p>
      ))}
      {kinds.map(({ name, changes }) => (
        <div key={name}>
          <h3>{name}</h3>
          <ul>
            {changes.map((text) => (
              <li key={text}>{marked(text)}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** Renders a text with its code and its links to documents, which are pages here. */
function marked(text: string) {
  const parts = text.split(/\[([^\]]+)\]\((\S+?)\)/);
  return parts.map((part, at) => {
    if (at % 3 === 0) return withCode(part);
    if (at % 3 === 2) return null;
    const page = pageOf(parts[at + 1] ?? '');
    return page === undefined ? part : <a href={page}>{part}</a>;
  });
}

interface CatalogsProps {
  catalogs: readonly CatalogVersion[];
  corrections: readonly Override[];
}

/** Shows each catalog with its contents, and the corrections made while it was in use. */
function Catalogs({ catalogs, corrections }: CatalogsProps) {
  return (
    <>
      <h2 id="catalog">Catalog</h2>
      <p>
        Every decode names its catalog in <code>X-Catalog-Version</code>. Here is what this service has decoded with,
        what each brought, and what was corrected after reports. <a href="/docs/decode#get-api-catalog">The API</a>{' '}
        compares any two.
      </p>
      {catalogs.map((catalog, place) => {
        const untilMs = catalogs[place - 1]?.firstUsedAtMs ?? Infinity;
        const own = corrections.filter(
          ({ createdAtMs }) => createdAtMs >= catalog.firstUsedAtMs && createdAtMs < untilMs,
        );
        return <CatalogNotes key={catalog.version} catalog={catalog} corrections={own} isInUse={place === 0} />;
      })}
    </>
  );
}

function CatalogNotes(props: { catalog: CatalogVersion; corrections: readonly Override[]; isInUse: boolean }) {
  const { catalog, corrections, isInUse } = props;
  const { version, firstUsedAtMs, state, changes } = catalog;
  const { rows = 0 } = state.counts;
  return (
    <section class="release" id={`catalog-${version}`}>
      <h3>
        <code>{version}</code>
        <small>
          {isInUse ? 'In use since' : 'First used'} <Day ms={firstUsedAtMs} />
        </small>
      </h3>
      {changes === undefined ? (
        <p>The first one that is recorded here, with {count(rows)} rows of facts.</p>
      ) : (
        <ul>
          {changes.counts.map(({ name, before, after }) => (
            <li key={name}>
              {NAMES[name] ?? name}: {count(before)} to {count(after)} ({signed(after - before)})
            </li>
          ))}
          {changes.sources.added.map((source) => (
            <li key={source}>New or imported again: {source}</li>
          ))}
          {changes.sources.removed.map((source) => (
            <li key={source}>No longer used: {source}</li>
          ))}
          {isUncounted(changes) ? <li>Rows changed; their number and the sources stayed the same.</li> : null}
        </ul>
      )}
      {corrections.length === 0 ? null : (
        <div>
          <h4>Corrected after reports</h4>
          <ul>
            {corrections.map((correction) => (
              <li key={correction.id}>{correctionText(correction)}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

/** Names of a catalog's counters. */
const NAMES: Readonly<Record<string, string>> = {
  wmis: 'World manufacturer identifiers',
  rows: 'Rows of facts',
  vpicSchemas: "NHTSA's VIN schemas",
  vpicRows: "Rows in NHTSA's VIN schemas",
  worldProfiles: 'VIN schemas for makers outside North America',
  worldRows: 'Rows in these schemas',
  approvalRows: 'Approved and registered types',
};

function isUncounted({ counts, sources }: NonNullable<CatalogVersion['changes']>): boolean {
  return counts.length + sources.added.length + sources.removed.length === 0;
}

function signed(value: number): string {
  return count(value, { signDisplay: 'always' });
}

/** Names fields and vehicles: no value, and of one vehicle no VIN, which may identify a person. */
function correctionText({ scope, fields }: Override): string {
  const names = Object.keys(fields).map((path) => (FIELDS.get(path)?.label ?? path).toLowerCase());
  const of = scope.kind === 'vin' ? 'one vehicle' : `vehicles whose VIN begins with ${scope.wmi}`;
  return `${names.join(', ')} of ${of}`.replace(/^./, (first) => first.toUpperCase());
}

/** The project's changelog: in the clone, and in the package. */
const DOCUMENTS = ['../../../../CHANGELOG.md', '../../../docs/changelog.md'].map(
  (path) => new URL(path, import.meta.url),
);

/** A version of the product, and what changed with it. */
interface Release {
  version: string;
  /** The day of the release; undefined: it is not released yet. */
  date: string | undefined;
  /** Text outside the kinds of change. */
  summary: string[];
  /** Changes that were added, changed, fixed, and so on. */
  kinds: { name: string; changes: string[] }[];
}

/** Returns the product's releases, newest first; none where the document is not at hand. */
export function readReleases(): Release[] {
  const document = DOCUMENTS.find((url) => existsSync(url));
  return document === undefined ? [] : releasesIn(readFileSync(document, 'utf8'));
}

/**
 * Reads a changelog as Keep a Changelog writes it: a heading for each version, below it one for each kind of change,
 * below that a list. Versions without any change are left out. Pure.
 */
export function releasesIn(document: string): Release[] {
  const [, ...parts] = document.split(/^## /m);
  return parts.map(releaseIn).filter(({ summary, kinds }) => summary.length + kinds.length > 0);
}

function releaseIn(part: string): Release {
  const [head = '', ...rest] = part.split(/^### /m);
  const [, version = '', date] = /^\[?([^\]\s]+)\]?(?: - (\S+))?/.exec(head) ?? [];
  const summary = paragraphs(head.slice(head.indexOf('\n')));
  const kinds = rest.map((text) => ({
    name: text.slice(0, text.indexOf('\n')).trim(),
    changes: text
      .slice(text.indexOf('\n'))
      .split(/^- /m)
      .flatMap((change) => paragraphs(change)),
  }));
  return { version, date, summary, kinds: kinds.filter(({ changes }) => changes.length > 0) };
}

/** Texts with the breaks of their lines taken out. */
function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}
