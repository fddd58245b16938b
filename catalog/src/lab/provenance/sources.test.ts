import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { printSources } from './print.ts';
import { SOURCES_PAGE, sourceLists } from './sources.ts';

const lists = sourceLists();
/** Returns text without the formatter's additions: blanks that align tables, and line breaks. */
const bare = (text: string): string => text.replaceAll(/\s+|-{3,}/g, '');

test('docs/sources.md is current', () => {
  const isCurrent = bare(readFileSync(SOURCES_PAGE, 'utf8')) === bare(printSources(lists));
  expect(isCurrent, 'Run npm run sources.').toBe(true);
});

test('every source that a row names is in a list, and every listed source has a row', () => {
  expect(lists.flatMap(({ unknown }) => unknown)).toEqual([]);
  expect(lists.flatMap(({ sources }) => sources).filter(({ rows }) => rows === 0)).toEqual([]);
});

test('no fact rests on share-alike data alone, save the one file whose license is kept with it', () => {
  const shareAlike = lists.flatMap(({ sources }) => sources).filter(({ licence }) => /ODbL|GPL|-SA-/.test(licence));
  expect(shareAlike.filter(({ alone }) => alone > 0).map(({ key }) => key)).toEqual(['canada']);
});

test('every source has a kind, a license and a name', () => {
  for (const { key, kind, licence, where } of lists.flatMap(({ sources }) => sources)) {
    expect({ key, kind, licence, where }).toEqual({
      key: expect.stringMatching(/./),
      kind: expect.stringMatching(/^(?:official|document|page|repository|labelled|knowledge|untraceable)$/),
      licence: expect.stringMatching(/./),
      where: expect.stringMatching(/.{8}/),
    });
  }
});
