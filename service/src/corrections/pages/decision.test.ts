import { expect, test } from 'vitest';

import { faultsInFields } from '../fields.ts';
import { proposalOf } from './decision.tsx';

test.each(Object.getOwnPropertyNames(Object.prototype))(
  'a correction of a field %s is refused, with its name',
  (path) => {
    const form = new URLSearchParams({
      'use:model': 'on',
      'value:model': 'Golf',
      'other-path': path,
      'other-value': 'x',
    });
    const { fields } = proposalOf(form, 'WVWZZZ1KZ5W123456');
    expect(faultsInFields(fields)).toEqual([expect.stringContaining(`${path} is not a field that can be set.`)]);
  },
);
