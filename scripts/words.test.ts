import { expect, test } from 'vitest';

import { wordFaults } from './words.ts';

test.each([
  '/** What is left of a limit. */\nexport const left = 0;\n',
  '/**\n * Whether a key is valid.\n */\nexport const isValid = true;\n',
  'export interface Wait {\n  /** How long it lasts. */\n  ms: number;\n}\n',
])('a docstring that begins with a clause is refused: %j', (source) => {
  expect(wordFaults('a.ts', source)).toEqual([expect.stringMatching(/^a\.ts:\d: a docstring begins with "W|"How"/)]);
});

test('a docstring that begins with a verb or a noun, and a comment within code, pass', () => {
  const source = '/** Returns the rest; what is used is counted. */\nexport const rest = 0; // What is left.\n';
  expect(wordFaults('a.ts', source)).toEqual([]);
});

test('a docstring of a function begins with a verb, that of a component or a helper of tests need not', () => {
  const noun = '/** The rest of a limit. */\nexport async function restOf() {}\n';
  expect(wordFaults('service/src/a.ts', noun)).toEqual([
    'service/src/a.ts:2: the docstring of restOf begins with "The": begin with a verb',
  ]);
  const method = 'class A {\n  /** The rest. */\n  #rest(): void {}\n  /** The limit. */\n  get limit() {}\n}\n';
  expect(wordFaults('service/src/a.ts', method)).toEqual([
    'service/src/a.ts:3: the docstring of #rest begins with "The": begin with a verb',
  ]);
  expect(wordFaults('service/src/a.ts', noun.replace('The', 'Returns the'))).toEqual([]);
  expect(wordFaults('service/src/a.tsx', noun.replace('restOf', 'Rest'))).toEqual([]);
  expect(wordFaults('service/src/a.test.ts', noun)).toEqual([]);
  expect(wordFaults('service/src/testing/a.ts', noun)).toEqual([]);
});

test('an identifier with a word that is gone is refused, also as a type, a member or a private one', () => {
  const source = 'interface LabelledVin { behaviour: 1 }\nclass A { #judgement = 2; get neighbours() { return 3; } }\n';
  expect(wordFaults('a.ts', source).map((fault) => fault.split(': ')[1])).toEqual([
    'LabelledVin',
    'behaviour',
    'judgement',
    'neighbours',
  ]);
});

test('a name that has another one now is refused, where it is the whole name', () => {
  const source = 'interface Lesson { borneOut: 1; taught: 2 }\nconst FleetOfCars = 1;\n';
  expect(wordFaults('a.ts', source).map((fault) => fault.split(': ')[1])).toEqual(['Lesson', 'borneOut']);
});

test('texts and members of answers keep their words', () => {
  expect(wordFaults('a.ts', "export const impact = { labelled: 'labelled', kind: 'behaviour' };\n")).toEqual([]);
});
