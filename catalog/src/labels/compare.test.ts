import { expect, test } from 'vitest';

import { compareField } from './compare.ts';
import { makeWord, modelsAgree } from './words.ts';

test.each([
  ['BMW', '328i', '3 Series'],
  ['BMW', 'Seria 3', '3 Series'],
  ['Mercedes-Benz', 'C300', 'C-Class'],
  ['Mercedes-Benz', 'Clasa A', 'A-Class'],
  ['Mazda', 'Mazda3 i Sport', '3'],
  ['Ford', 'F-150 Lariat', 'F-150'],
  ['Volkswagen', 'golf plus', 'Golf'],
  ['Lexus', 'RX 350', 'RX'],
  ['Ford', 'Focus', 'Fiesta/Focus'],
  ['Volkswagen', 'T4 (Transporter) pass.', 'Transporter'],
  ['Renault', 'Megane Scenic', 'Scenic'],
  ['Mercedes-Benz', 'Classe A', 'A-Class'],
  ['Mazda', 'Mazdaspeed 6', '6'],
  ['Lada', '21140', '2114'],
  ['VAZ', '2114', '211440-26'],
  ['Lada', '2170 Priora', 'Priora'],
  ['UAZ', 'Patriot 3163', '3163'],
])('%s: "%s" and "%s" are one model', (make, label, answer) => {
  expect(modelsAgree(make, label, answer)).toBe(true);
});

test.each([
  ['Ford', 'F-150', 'F-550'],
  ['Mazda', '323', '3'],
  ['Volkswagen', 'Passat', 'Polo'],
  ['BMW', '5 Series', '3 Series'],
  ['Lada', '2110', '2111'],
  ['Lada', 'Granta', 'Vesta'],
  ['Volkswagen', 'T4 (Transporter)', 'Caravelle'],
  ['Fiat', '1300', '13000'],
])('%s: "%s" and "%s" are two', (make, label, answer) => {
  expect(modelsAgree(make, label, answer)).toBe(false);
});

test.each([
  ['Maruti Suzuki', 'Suzuki'],
  ['Mitsubishi Fuso', 'Mitsubishi'],
  ['VAZ', 'Lada'],
  ['Heartland RV', 'Heartland'],
])('"%s" and "%s" are one make', (label, answer) => {
  expect(makeWord(label)).toBe(makeWord(answer));
});

test.each(Object.getOwnPropertyNames(Object.prototype))('a make may be called %s', (make) => {
  expect(makeWord(make)).toBe(make.replaceAll('_', '').toLowerCase());
});

test('a year of first registration may lag the model year by one, a labeled model year may not', () => {
  const expected = { modelYear: '2011' };
  const vin = '1HGCM82633A004352';
  const report = { modelYear: '2012' };
  expect(compareField('modelYear', { vin, expected, yearBasis: 'production-or-first-registration' }, report)).toBe(
    'right',
  );
  expect(compareField('modelYear', { vin, expected, yearBasis: 'model-year' }, report)).toBe('wrong');
  expect(compareField('modelYear', { vin, expected, yearBasis: 'model-year' }, {})).toBe('unanswered');
  expect(compareField('model', { vin, expected, yearBasis: 'model-year' }, report)).toBe('unlabeled');
});

test('a works number is the model whose code begins with it', () => {
  const report = { manufacturer: 'Lada', model: 'Kalina', modelCode: '11173' };
  const verdicts = ['1117', '1118'].map((model) => {
    const expected = { manufacturer: 'Lada', model };
    return compareField('model', { vin: 'XTA11173080000000', expected, yearBasis: 'model-year' }, report);
  });
  expect(verdicts).toEqual(['right', 'wrong']);
});
