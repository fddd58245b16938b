import { expect, test } from 'vitest';

import { testService } from '../../testing/service.ts';

test('privacy and terms name the operator, the contact, the law and the retention of this instance', async () => {
  await using service = await testService({
    OPERATOR: 'Plate Works Ltd, 1 Windscreen Way, Cork',
    CONTACT: 'hello@plate-works.example',
    GOVERNING_LAW: 'the law of Ireland',
    DECODE_LOG_RETENTION_DAYS: '17',
  });
  const privacy = (await service.app.inject('/privacy')).body;
  const terms = (await service.app.inject('/terms')).body;
  for (const body of [privacy, terms]) {
    expect(body).toContain('Plate Works Ltd, 1 Windscreen Way, Cork');
    expect(body).toContain('hello@plate-works.example');
  }
  expect(privacy).toContain('17 days');
  expect(terms).toContain('governed by the law of Ireland');
});

test('privacy names only receivers of data that this instance has', async () => {
  await using service = await testService();
  const { body } = await service.app.inject('/privacy');
  expect(body).toContain('has not published a name yet');
  expect(body).not.toContain('Stripe');
  expect(body).not.toContain('External sources');
});
