import { expect, test } from 'vitest';

import { type Draft, emptyDraft } from './draft.ts';
import { dropContradictedCode, settleEngine } from './engine-evidence.ts';

const drafted = (said: Partial<Draft>): Draft => ({ ...emptyDraft(), ...said });

test.each([
  ['code and size outvote the cylinders', { cylinders: 4, displacementCc: 3471 }, 35, 6, 'J35A1'],
  ['cylinders and size outvote the code', { cylinders: 4, displacementCc: 2156 }, 35, 4, ''],
  ['without a size neither is said', { cylinders: 4 }, 35, 0, ''],
  ['without cylinders the code is kept', { displacementCc: 3471 }, 35, 0, 'J35A1'],
  ['a code of another size is not the engine', { cylinders: 6, displacementCc: 2990 }, 35, 6, ''],
])('%s', (_, said, tenths, cylinders, engineModel) => {
  const draft = drafted({ ...said, engineModel: 'J35A1', codeCylinders: 6 });
  settleEngine(draft, tenths);
  expect(draft).toMatchObject({ cylinders, engineModel });
});

test('a code that contradicts the cylinders which a list settles later is dropped', () => {
  const draft = drafted({ engineModel: '2UZ-FE', codeCylinders: 8, cylinders: 6 });
  dropContradictedCode(draft);
  expect(draft.engineModel).toBe('');
});
