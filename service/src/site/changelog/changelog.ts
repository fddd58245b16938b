import { existsSync, readFileSync } from 'node:fs';

/** The project's changelog: in the clone, and in the package. */
const DOCUMENTS = ['../../../../CHANGELOG.md', '../../../docs/changelog.md'].map(
  (path) => new URL(path, import.meta.url),
);

/** A version of the product, and what changed with it. */
export interface Release {
  version: string;
  /** The day of the release; undefined: it is not released yet. */
  date: string | undefined;
  /** What it says under no kind of change. */
  summary: string[];
  /** What was added, changed, fixed, and so on. */
  kinds: { name: string; changes: string[] }[];
}

/** The product's releases, newest first; none where the document is not at hand. */
export function readReleases(): Release[] {
  const document = DOCUMENTS.find((url) => existsSync(url));
  return document === undefined ? [] : releasesIn(readFileSync(document, 'utf8'));
}

/**
 * Reads a changelog as Keep a Changelog writes it: a heading for each version, below it one for each kind of change, below
 * that a list. Versions without any change are left out. Pure.
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
