import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const DOCUMENTS = ['docs/asvs.md', 'docs/threat-model.md'];

/** Rows of the tables of a document: their cells, heads left out. */
function rowsOf(document: string): string[][] {
  const lines = document.split('\n').filter((line) => line.startsWith('| '));
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
  return cells.filter((row, index) => !/^-+$/.test(row[0] ?? '') && !lines[index + 1]?.startsWith('| ---'));
}

/** Returns the place of a path that a table names: tables leave out `service/src/`. */
const placeOf = (path: string): string | undefined =>
  [`service/src/${path}`, path].find((place) => existsSync(join(root, place)));

/** The test and the titles, or beginnings of titles, that a cell names. */
const NAMED = /`([\w./-]+)`(?: "([^"]+)")?/g;

describe.each(DOCUMENTS)('%s', (document) => {
  const rows = rowsOf(read(document));

  test('names only tests, folders and documents that are there, and titles that they have', () => {
    const wrong: string[] = [];
    let named = 0;
    for (const row of rows) {
      for (const [, path = '', title] of (row.at(-1) ?? '').matchAll(NAMED)) {
        if (!path.includes('/') && !path.endsWith('.ts')) continue;
        named += 1;
        const place = placeOf(path);
        if (place === undefined) wrong.push(path);
        else if (title !== undefined && !read(place).includes(title)) wrong.push(`${path}: ${title}`);
      }
    }
    expect(named).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });
});

/** Numbers of the requirements at levels 1 and 2, the last one of each run; those of level 3 are left out. */
const REQUIRED: Readonly<Record<string, string>> = {
  '1.1': '1-2',
  '1.2': '1-9',
  '1.3': '1-11',
  '1.4': '1-3',
  '1.5': '1-2',
  '2.1': '1-3',
  '2.2': '1-3',
  '2.3': '1-4',
  '2.4': '1-1',
  '3.2': '1-2',
  '3.3': '1-4',
  '3.4': '1-6',
  '3.5': '1-5',
  '3.7': '1-2',
  '4.1': '1-3',
  '4.2': '1-1',
  '4.3': '1-2',
  '4.4': '1-4',
  '5.1': '1-1',
  '5.2': '1-3',
  '5.3': '1-2',
  '5.4': '1-3',
  '6.1': '1-3',
  '6.2': '1-12',
  '6.3': '1-4',
  '6.4': '1-4',
  '6.5': '1-5',
  '6.6': '1-3',
  '6.8': '1-4',
  '7.1': '1-3',
  '7.2': '1-4',
  '7.3': '1-2',
  '7.4': '1-5',
  '7.5': '1-2',
  '7.6': '1-2',
  '8.1': '1-2',
  '8.2': '1-3',
  '8.3': '1-1',
  '8.4': '1-1',
  '9.1': '1-3',
  '9.2': '1-4',
  '10.1': '1-2',
  '10.2': '1-2',
  '10.3': '1-4',
  '10.4': '1-11',
  '10.5': '1-5',
  '10.6': '1-2',
  '10.7': '1-3',
  '11.1': '1-2',
  '11.2': '1-3',
  '11.3': '1-3',
  '11.4': '1-4',
  '11.5': '1-1',
  '11.6': '1-1',
  '12.1': '1-3',
  '12.2': '1-2',
  '12.3': '1-4',
  '13.1': '1-1',
  '13.2': '1-5',
  '13.3': '1-2',
  '13.4': '1-5',
  '14.1': '1-2',
  '14.2': '1-4',
  '14.3': '1-3',
  '15.1': '1-3',
  '15.2': '1-3',
  '15.3': '1-7',
  '16.1': '1-1',
  '16.2': '1-5',
  '16.3': '1-4',
  '16.4': '1-3',
  '16.5': '1-3',
  '17.1': '1-1',
  '17.2': '1-4',
  '17.3': '1-2',
};

const required = Object.entries(REQUIRED).flatMap(([section, run]) =>
  Array.from({ length: Number(run.split('-')[1]) }, (_, index) => `${section}.${index + 1}`),
);

/**
 * Returns the requirements that a first cell names: `1.2.3`, several with commas, or the first and the last with a
 * hyphen.
 */
function numbersIn(cell: string): string[] {
  return cell.split(', ').flatMap((part) => {
    const [first = '', last = first] = part.split('-');
    return required.slice(required.indexOf(first), required.indexOf(last) + 1);
  });
}

test('docs/asvs.md covers every requirement of levels 1 and 2 once, each by a test or with a reason', () => {
  const rows = rowsOf(read('docs/asvs.md'));
  expect(rows.flatMap(([cell = '']) => numbersIn(cell)).toSorted()).toEqual(required.toSorted());
  const unheld = rows.filter(([, how = '', held = '']) => held === '' && !/not applicable: |operator: /.test(how));
  expect(unheld).toEqual([]);
});

test('docs/threat-model.md gives the bounds of a file that is unpacked, and of the body of a job', () => {
  const numberIn = (path: string, pattern: RegExp): number =>
    Number((pattern.exec(read(`service/src/files/${path}`))?.[1] ?? '').replaceAll('_', ''));
  const heapMb = numberIn('unpack-process.ts', /maxOldGenerationSizeMb: (\d+)/);
  const cpuMs = numberIn('unpack-process.ts', /cpuMs: ([\d_]+)/);
  const jobBytes = numberIn('api/schemas.ts', /MOST_JOB_BYTES = ([\d_]+)/);
  const row = rowsOf(read('docs/threat-model.md')).find(([threat]) => threat === 'JSON and zip bombs');
  expect(row?.[1]).toContain(`a process with ${heapMb} MB and ${cpuMs / 1_000} seconds of processor time`);
  expect(row?.[1]).toContain(`${jobBytes / 1_000_000} MB for jobs`);
});

test('nothing that is served starts a process but for the files that are unpacked, evaluates text or parses XML', () => {
  const sources = globSync('service/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/\.test\.tsx?$|\/testing\//.test(path),
  );
  expect(sources.length).toBeGreaterThan(200);
  const doing = sources.filter((path) =>
    /child_process|\beval\(|new Function\(|DOMParser|dangerouslySetInnerHTML/.test(read(path)),
  );
  expect(doing).toEqual(['service/src/kernel/threads/process.ts']);
  const starting = sources.filter((path) => read(path).includes('areProcesses: true'));
  expect(starting).toEqual(['service/src/files/unpacker.ts']);
});

test('the script of pages keeps nothing in the browser but how somebody likes to read', () => {
  const script = read('service/assets/marque.js');
  expect(script).not.toMatch(/sessionStorage|indexedDB|document\.cookie/);
  const kept = [...script.matchAll(/localStorage\.\w+\(([^,)]*)/g)].map(([, key]) => key);
  expect(new Set(kept)).toEqual(new Set(['group.dataset.remember']));
});
