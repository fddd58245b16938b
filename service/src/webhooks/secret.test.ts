import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';

import { newSecret, webhookBox, signedHeaders } from './secret.ts';

test('a secret is sealed for one endpoint of one instance, never the same twice', () => {
  const box = webhookBox('instance');
  const secret = newSecret();
  expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
  expect(newSecret()).not.toBe(secret);
  const sealed = box.seal(secret, 'one');
  expect(sealed).not.toContain(secret.slice(6, 20));
  expect(box.seal(secret, 'one')).not.toBe(sealed);
  expect(webhookBox('instance').open(sealed, 'one')).toBe(secret);
  expect(() => box.open(sealed, 'two')).toThrow(/authenticate/i);
  expect(() => webhookBox('other').open(sealed, 'one')).toThrow(/authenticate/i);
  expect(() => box.open(`${sealed.slice(0, -4)}AAAA`, 'one')).toThrow(/authenticate/i);
});

test('a secret that an earlier version sealed, in plain base64, is still opened', () => {
  const sealed = 'MQJA1mZ/+0XmApP/fm/18yFQxcmOBStC3viYbyG9yHI2XnfULTs=';
  expect(webhookBox('instance').open(sealed, 'one')).toBe('whsec_b2xk');
});

test('a signature is the one that the library of Standard Webhooks makes', () => {
  const secret = newSecret();
  const atMs = 1_800_000_000_500;
  const body = '{"type":"webhook.test","data":{"text":"Ä"}}';
  const headers = signedHeaders('msg-1', atMs, body, [secret]);
  expect(headers['webhook-timestamp']).toBe('1800000000');
  expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('msg-1', new Date(atMs), body));
});
