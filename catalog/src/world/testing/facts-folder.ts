import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const SOURCES = [
  'key,kind,licence,where',
  'BOOK,document,facts only,A workshop manual',
  'LOST,untraceable,facts only,A table that no one can find again',
  'G,knowledge,-,General knowledge',
  'LABELS,labelled,-,Labelled VINs',
  'LEARNED,labelled,-,Labelled cars',
  '',
].join('\n');

const LAYOUTS = `about: A maker for tests.
layouts:
  - name: row
    about: All of its cars.
    make: Acme
    wmis: [ZZA]
    year: position-10
    check_digit: none
    tables: [models.csv]
`;

/**
 * Returns a folder of facts on disk with one maker, "acme", whose table of models is given. Other files may be replaced
 * or added.
 */
export function factsFolder(models: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'marque-facts-'));
  const all = { 'sources.csv': SOURCES, 'acme/layouts.yaml': LAYOUTS, 'acme/models.csv': models, ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
