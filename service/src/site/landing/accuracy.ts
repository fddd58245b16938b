import { existsSync, readFileSync } from 'node:fs';

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

/** One figure of the accuracy document, as it is printed there. */
export interface Share {
  answered: string;
  right: string;
}

/** How accurate the decoder is on one set of labeled VINs. */
export interface SetAccuracy {
  name: string;
  /** VINs. */
  size: number;
  fields: { label: string; share: Share }[];
  regions: { name: string; shares: (Share | undefined)[] }[];
}

/** The figures of this release; none where the document is not at hand. */
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
    const fields = rowsBelow(section, 'field').flatMap(([field = '', , answered, right]) => {
      const label = FIELDS[field];
      if (label === undefined || answered === undefined || right === undefined) return [];
      return [{ label, share: { answered, right } }];
    });
    const regions = rowsBelow(section, 'region').map(([region = '', , ...cells]) => ({
      name: region,
      shares: cells.map(shareIn),
    }));
    return [{ name, size, fields, regions }];
  });
}

/** The rows of the first table whose first column has this name. */
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
