import { describe, expect, test } from 'vitest';

import { Reader } from '../../testing/reader.ts';
import { testService } from '../../testing/service.ts';

const FORMS = [
  ['/sign-up', { email: 'ada@example.com', slug: 'ada-motors' }],
  ['/forgot', { email: 'ada@example.com' }],
] as const;

describe.each(FORMS)('the page after %s', (path, fields) => {
  test('points to the mail if there is a mail server', async () => {
    await using service = await testService({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const { body } = await new Reader(service.app).submit(path, fields);
    expect(body).toContain('<h1>Check your mail</h1>');
    expect(body).toContain('ada@example.com');
  });

  test('points to the log if there is no mail server, and does not mention mail', async () => {
    await using service = await testService();
    const { body } = await new Reader(service.app).submit(path, fields);
    expect(body).toContain('<h1>Get the link from the log</h1>');
    expect(body).toContain('no SMTP_URL');
    expect(body).not.toContain('Check your mail');
  });
});
