import { existsSync, readFileSync } from 'node:fs';

import { count } from '../../kernel/ui/numbers.ts';
import { type Column, Table } from '../../kernel/ui/table.tsx';
import { andList } from '../../kernel/lists.ts';

const REGION_FIELDS = ['Make', 'Model', 'Model year', 'Body style', 'Fuel'] as const;

/** The document that `npm run accuracy` writes: in the clone, and in the package. */
const DOCUMENTS = ['../../../../docs/accuracy.md', '../../../docs/accuracy.md'].map(
  (path) => new URL(path, import.meta.url),
);

/** Sets of labeled VINs by their name in the document. */
const SETS = { na: 'North America', world: 'Worldwide' } as const;

const FIELDS: Readonly<Record<string, string>> = {
  manufacturer: 'Make',
  model: 'Model',
  modelYear: 'Model year',
  body: 'Body style',
  fuelType: 'Fuel',
};

/** The column without the cars of a VIN's group, and without those of its model: the one in the README. */
const LEAVING_OUT = 2;

const SHOWN_SETS = readAccuracy();

/** Shows the share of right answers, by field and by region; nothing if the figures are missing. */
export function AccuracySection() {
  if (SHOWN_SETS.length === 0) return null;
  const sizes = SHOWN_SETS.map(
    ({ size, name }) => `${count(size)} (${name.toLowerCase() === 'worldwide' ? 'worldwide' : name})`,
  );
  return (
    <section id="accuracy" aria-labelledby="accuracy-title">
      <h2 id="accuracy-title">How accurate it is</h2>
      <p>
        Every release is tested on vehicles whose make, model, year, and body are known: {andList(sizes)}. “Right” is
        the share of answers that are right; “answered” is the share of VINs with one.
      </p>
      <Table
        rows={REGION_FIELDS}
        columns={[
          { head: 'Field', kind: 'name', cell: (label) => label },
          ...SHOWN_SETS.map(({ name, fields }): Column<string> => ({
            head: name,
            kind: 'figure',
            cell: (label) => <Cell share={fields.find((field) => field.label === label)?.share} />,
          })),
        ]}
      />
      <details>
        <summary>By region</summary>
        {SHOWN_SETS.map((set) => (
          <RegionTable key={set.name} set={set} />
        ))}
      </details>
    </section>
  );
}

function RegionTable({ set: { name, regions } }: { set: (typeof SHOWN_SETS)[number] }) {
  return (
    <Table
      caption={`${
        name === 'Worldwide' ? 'Vehicles from around the world' : 'Vehicles of the North American market'
      }, by where they were built`}
      rows={regions}
      columns={[
        { head: 'Built in', kind: 'name', cell: (region) => region.name },
        ...REGION_FIELDS.map((field, place): Column<(typeof regions)[number]> => ({
          head: field,
          kind: 'figure',
          cell: ({ shares }) => <Cell share={shares[place]} />,
        })),
      ]}
    />
  );
}

/** Formats a share as American English does: without a space. */
function percent(text: string): string {
  return text.replace(' ', '');
}

/** The best-known figures in a sentence, for the top of the page; nothing where they are not at hand. */
export function AccuracyInBrief() {
  const shares = SHOWN_SETS.flatMap(({ name, fields }) => {
    const share = fields.find(({ label }) => label === 'Model')?.share;
    return share === undefined ? [] : [{ ...share, place: placeText(name) }];
  });
  if (shares.length === 0) return null;
  return (
    <p class="hint">
      Models answered: {shares.map(({ answered, place }) => `${rounded(answered)} ${place}`).join(', ')}.<br />
      Of these right: {shares.map(({ right, place }) => `${rounded(right)} ${place}`).join(', ')}.{' '}
      <a class="whole" href="#accuracy">
        How we measure
      </a>
    </p>
  );
}

/** Rounds to a tenth; only a share of 100 % becomes 100. */
function rounded(text: string): string {
  const share = Number.parseFloat(text);
  return `${share < 100 ? Math.min(99.9, share).toFixed(1) : 100}%`;
}

function placeText(set: string): string {
  return set === 'Worldwide' ? 'worldwide' : `in ${set}`;
}

function Cell({ share }: { share: { right: string; answered: string } | undefined }) {
  if (share === undefined) return <>not measured</>;
  return (
    <>
      {percent(share.right)} <small>right, {percent(share.answered)}&nbsp;answered</small>
    </>
  );
}

/** One figure of the accuracy document: of the ways in which it leaves cars out, the lower share, as in the README. */
interface Share {
  answered: string;
  right: string;
}

/** The accuracy of the decoder on one set of labeled VINs. */
interface SetAccuracy {
  name: string;
  /** VINs. */
  size: number;
  fields: { label: string; share: Share }[];
  regions: { name: string; shares: (Share | undefined)[] }[];
}

/** Returns the figures of this release; none if the document is missing. */
export function readAccuracy(): SetAccuracy[] {
  const document = DOCUMENTS.find((url) => existsSync(url));
  return document === undefined ? [] : accuracyIn(readFileSync(document, 'utf8'));
}

/** Reads the figures out of the document's tables. Pure. */
export function accuracyIn(document: string): SetAccuracy[] {
  const sections = document.split(/^## /m);
  return Object.entries(SETS).flatMap(([set, name]) => {
    const section = sections.find((text) => text.startsWith(`${set}:`));
    if (section === undefined) return [];
    const size = Number(/: (\d+) labeled/.exec(section)?.[1] ?? 0);
    const fields = rowsBelow(section, 'field | labeled | without its group').flatMap(([field = '', , ...ways]) => {
      const label = FIELDS[field];
      const share = lowerOf(ways.slice(0, LEAVING_OUT).flatMap((cell) => shareIn(cell) ?? []));
      return label === undefined || share === undefined ? [] : [{ label, share }];
    });
    const regions = rowsBelow(section, 'region').map(([region = '', , ...cells]) => ({
      name: region,
      shares: cells.map(shareIn),
    }));
    return [{ name, size, fields, regions }];
  });
}

/** Returns the lowest share of the answers, and the lowest share of right ones. */
function lowerOf(shares: readonly Share[]): Share | undefined {
  const lowest = (key: keyof Share): string | undefined =>
    shares.map((share) => share[key]).toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b))[0];
  const [answered, right] = [lowest('answered'), lowest('right')];
  return answered === undefined || right === undefined ? undefined : { answered, right };
}

/** Returns the rows of the first table whose first columns have these names. */
function rowsBelow(section: string, column: string): string[][] {
  const lines = section.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${column} |`));
  if (start === -1) return [];
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  const rows = rest.slice(0, end === -1 ? undefined : end);
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function shareIn(cell: string): Share | undefined {
  const [answered, right] = cell.split(' / ');
  return answered === undefined || right === undefined ? undefined : { answered, right };
}
