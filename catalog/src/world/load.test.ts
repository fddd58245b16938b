import { expect, test } from 'vitest';

import { interpret } from './interpret.ts';
import { loadWorld, readWorld } from './load.ts';

test('the facts load without a fault, in less than a second and a half', () => {
  const start = performance.now();
  const facts = readWorld();
  expect(performance.now() - start).toBeLessThan(1500);
  expect(facts.profiles.length).toBeGreaterThan(100);
});

test('a row of general knowledge that nothing bears out answers nothing', () => {
  const { tables, profiles } = readWorld();
  const held = [...tables.values()].flat().filter(({ row }) => row.confidence === 'G' && row.agreed === undefined);
  const origins = new Set(profiles.flatMap(({ rows }) => rows.map(({ origin }) => origin)));
  expect(held.length).toBeGreaterThan(100);
  expect(held.every(({ row }) => row.confidence === 'G')).toBe(true);
  expect(origins.size).toBeGreaterThan(1000);
});

test('a Golf of 2004 is a Golf V from Wolfsburg', () => {
  expect(interpret(loadWorld(), 'WVWZZZ1KZ4W000001')?.outputs).toMatchObject({
    make: 'Volkswagen',
    model: 'Golf',
    generation: 'V',
    modelCode: '1K',
    modelYear: 2004,
    plantCity: 'Wolfsburg',
    plantCountry: 'Germany',
  });
});
