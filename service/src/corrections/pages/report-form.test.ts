import { expect, test } from 'vitest';

import { signUp } from '../../people/testing/people.ts';
import { testService } from '../../testing/service.ts';

test('an incomplete report comes back with its texts, and the note stays within its box', async () => {
  await using service = await testService();
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  const answer = await owner.post('/portal/ada-motors/reports', {
    vin: '1HGCM82633A004352',
    expectedManufacturer: 'Honda',
    expectedModel: ' ',
    expectedBodyStyle: 'Sedan',
    expectedModelYear: '2003',
    note: 'The registration\nsays so.</textarea><b>',
  });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toMatch(
    /<textarea[^>]* name="note"[^>]*>The registration says so\.&lt;\/textarea>&lt;b><\/textarea>/,
  );
  expect(answer.body).toMatch(/<input[^>]* name="expectedModel"[^>]* aria-invalid="true"/);
});
