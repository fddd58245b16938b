import { describe, expect, test } from 'vitest';

import { FIESTA, vpicBody } from '../testing/provider.ts';
import { isForNorthAmerica, readVpicAnswer } from './vpic.ts';

const VIN = '3FADP4EJ5EM100000';

describe('vPIC covers', () => {
  test.each([
    ['1HGCM82633A004352', true, 'a check digit that is right'],
    ['JHMCM82633A004352', false, 'a wrong check digit in a market without one'],
    ['1HGCM82643A004352', true, 'a wrong check digit where one is prescribed: the VIN may be mistyped elsewhere'],
    ['1HGCM826Z3A004352', false, 'no check digit at all'],
    ['WVWZZZ1JZ3W386752', false, 'fillers of the rest of the world'],
  ])('%s: %s, by %s', (vin, covered) => {
    expect(isForNorthAmerica(vin)).toBe(covered);
  });
});

describe("vPIC's answer", () => {
  const read = (values: Record<string, string>) => readVpicAnswer(VIN, vpicBody(VIN, values));

  test.each(['0', '1', '1,14', '0, 10', '14'])('with code %s is about this VIN', (ErrorCode) => {
    expect(read({ ...FIESTA, ErrorCode })).toMatchObject({ kind: 'found', answer: { make: 'FORD', model: 'Fiesta' } });
  });

  test.each(['2', '3', '4', '5', '5,14', '6', '7', '8', '11', '1,11,14,400'])(
    'with code %s is nothing: it has no data, or data for a VIN that vPIC corrected',
    (ErrorCode) => {
      expect(read({ ...FIESTA, ErrorCode })).toEqual({ kind: 'nothing' });
    },
  );

  test('without a model is nothing', () => {
    expect(read({ ...FIESTA, Model: '' })).toEqual({ kind: 'nothing' });
  });

  test('for another VIN is a failure', () => {
    const body = vpicBody('3FADP4EJ5EM100001', FIESTA);
    expect(readVpicAnswer(VIN, body)).toEqual({ kind: 'failed', reason: 'another VIN' });
  });

  test.each([
    ['null', null],
    ['a list', []],
    ['no results', { Results: [] }],
    ['two results', { Results: [1, 2].map(() => ({ VIN, ErrorCode: '0' })) }],
    ['results of numbers', { Results: [5] }],
    ['a code in words', vpicBody(VIN, { ErrorCode: 'fine' })],
    ['no code', vpicBody(VIN, { ErrorCode: '' })],
  ])('that is %s is a failure', (_, body) => {
    expect(readVpicAnswer(VIN, body)).toEqual({ kind: 'failed', reason: 'not understood' });
  });

  test('with a range of powers gives none', () => {
    expect(read({ ...FIESTA, EngineHP_to: '150' })).not.toHaveProperty('answer.powerKw');
    expect(read({ ...FIESTA, EngineHP_to: '120' })).toMatchObject({ answer: { powerKw: '89.48' } });
  });
});
