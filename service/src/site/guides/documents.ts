import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { anchorOf, partsOf } from '../../kernel/ui/markdown.tsx';

/** The path of the guides, one page for each document. */
export const GUIDES_PATH = '/docs/guides';

/** A document of the project as a page. */
export interface Guide {
  /** The name of its file, without the ending. */
  name: string;
  path: string;
  title: string;
  group: GroupName;
  /** The factor of its rank among what a search finds. */
  weight: number;
  /** The question that it answers, in a line. */
  says: string;
  /** The text in Markdown. */
  document: string;
}

type GroupName = 'Use the API' | 'Run the service' | 'Add vehicles' | 'Check its promises';

/** The guides in the order in which they are listed, by group; a document that is not named here comes last. */
const GROUPS: Readonly<Record<GroupName, Readonly<Record<string, string>>>> = {
  'Use the API': {
    questions: 'short answers to what people ask first',
    api: 'what is charged, errors, test keys, promises about usage',
    vpic: "move a program from NHTSA's vPIC API, method by method",
    spreadsheets: 'a function for Google Sheets and for Excel',
    automation: 'n8n, Make, Postman, Bruno, and scripts',
    data: 'pandas, Dask, ClickHouse, Spark, DuckDB',
    surprises: 'what people get wrong about VINs and their data',
    webhooks: 'events, signatures, retries',
    corrections: 'from a wrong decode to a right one',
    glossary: 'the words of this field, one meaning each',
  },
  'Run the service': {
    operations: 'deploy, upgrade, back up, restore, and what to do when it breaks',
    settings: 'every environment variable',
    'command-line': 'every command',
    pages: 'accounts, mail, payment, what is limited',
    scale: 'processes, machines, a billion stored decodes',
    privacy: 'what is stored, for how long; export and erase (GDPR)',
    enrichment: 'look VINs up elsewhere',
  },
  'Add vehicles': {
    'catalog-guidelines': 'add a make',
    learning: 'teach it from your own cars',
    importing: 'specifications and vPIC dumps',
    registers: 'official registers of cars',
    sources: 'where each fact comes from',
  },
  'Check its promises': {
    security: 'keys, sessions, secrets, logs',
    'threat-model': 'who may attack, and what stops them',
    asvs: 'OWASP ASVS, requirement by requirement',
    'vpic-procedures': 'how NHTSA decodes a VIN, step by step',
    reliability: 'what was broken on purpose, and what happened',
    performance: 'how it is measured',
  },
};

export const GROUP_NAMES = Object.keys(GROUPS).filter((name): name is GroupName => name in GROUPS);

/** The weight of what answers a question in words, before the name of a header. */
export const WEIGHT_OF_ANSWERS = 1.5;

/** The weights of the guides: few who search look for proof, whose documents have every word. */
const WEIGHTS: Readonly<Record<GroupName, number>> = {
  'Use the API': WEIGHT_OF_ANSWERS,
  'Run the service': 1,
  'Add vehicles': 0.5,
  'Check its promises': 0.5,
};

/** The guide that answers what people ask first is found first. */
const WEIGHT_OF_QUESTIONS = 3;

/** Documents with a page of their own: the figures of the start page, and the changelog. */
const ELSEWHERE: Readonly<Record<string, string>> = { accuracy: '/#accuracy', changelog: '/changelog' };

/** The folder of documents: in the clone, and in the package. */
const FOLDERS = ['../../../../docs/', '../../../docs/'].map((path) => new URL(path, import.meta.url));

let known: readonly Guide[] | undefined;

/** Returns every guide, in the order of the groups; none where the documents are not at hand. */
export function guides(): readonly Guide[] {
  return (known ??= readGuides());
}

/** Returns the path of a document's page; undefined: it has none. */
function guidePath(name: string): string | undefined {
  return ELSEWHERE[name] ?? guides().find((guide) => guide.name === name)?.path;
}

function readGuides(): Guide[] {
  const folder = FOLDERS.find((url) => existsSync(url));
  if (folder === undefined) return [];
  const order = Object.values(GROUPS).flatMap((group) => Object.keys(group));
  const placeOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .filter((name) => ELSEWHERE[name] === undefined)
    .toSorted((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1))
    .map((name) => guideIn(name, readFileSync(new URL(`${name}.md`, folder), 'utf8')));
}

/** Returns a document as a guide. */
function guideIn(name: string, document: string): Guide {
  const group = GROUP_NAMES.find((known) => name in GROUPS[known]) ?? 'Run the service';
  const title = /^# (.*)$/m.exec(document)?.[1] ?? name;
  const weight = name === 'questions' ? WEIGHT_OF_QUESTIONS : WEIGHTS[group];
  return { name, path: `${GUIDES_PATH}/${name}`, title, group, weight, says: GROUPS[group][name] ?? '', document };
}

/**
 * Returns the target of a document's link on the pages; undefined: a file that only the clone has. Pure but for the
 * list of guides.
 */
export function linkOf(href: string): string | undefined {
  if (/^(?:#|https:)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^(?:\.\.\/docs\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  const path = guidePath(name);
  return path === undefined ? undefined : `${path}${path.includes('#') ? '' : anchor}`;
}

/** Returns the page of a document that a text names by its path, such as `docs/vpic.md`; undefined: it has none. */
export function pageOf(path: string): string | undefined {
  const [, name = ''] = /^docs\/([\w-]+)\.md$/.exec(path) ?? [];
  return guidePath(name);
}

/** A part of a guide that a search can find, below its heading. */
export interface GuidePart {
  href: string;
  title: string;
  context: string;
  text: string;
}

/** Returns the parts of a guide. Pure. */
export function guideParts({ path, title, document }: Guide): GuidePart[] {
  return partsOf(document).map(({ depth, heading, text }) =>
    depth === 1
      ? { href: path, title, context: '', text }
      : { href: `${path}#${anchorOf(heading)}`, title: heading, context: title, text },
  );
}
