import { expect, test } from 'vitest';
import { isMailAddress, isWebhookSecret, noNotices, readNotifySettings, secretsOfNotices } from './notify-settings';

const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;

test('nothing set sends nothing', () => {
  expect(readNotifySettings({})).toEqual({ settings: noNotices, problems: [] });
  expect(readNotifySettings({ CALLBOARD_WEBHOOK_URL: '', CALLBOARD_SMTP_URL: '', CALLBOARD_PUBLIC_URL: '' })).toEqual({
    settings: noNotices,
    problems: [],
  });
});

test('everything set is read, and its secrets are known', () => {
  const { settings, problems } = readNotifySettings({
    CALLBOARD_PUBLIC_URL: 'https://Callboard.example.org/',
    CALLBOARD_WEBHOOK_URL: 'https://hooks.example.org/x',
    CALLBOARD_WEBHOOK_SECRET: secret,
    CALLBOARD_SMTP_URL: 'smtps://bot:p%40ss@mail.example.org',
    CALLBOARD_MAIL_FROM: 'cb@example.org',
    CALLBOARD_MAIL_TO: 'ana@example.org, ben@example.org,ana@example.org',
    CALLBOARD_MAIL_ANSWERS: '1',
  });
  expect(problems).toEqual([]);
  expect(settings).toEqual({
    publicUrl: 'https://callboard.example.org',
    webhook: { url: 'https://hooks.example.org/x', secret },
    mail: {
      ...{ host: 'mail.example.org', port: 465, secure: true, user: 'bot', password: 'p@ss', from: 'cb@example.org' },
      ...{ to: ['ana@example.org', 'ben@example.org'], mayAnswer: true },
    },
  });
  expect(secretsOfNotices(settings)).toEqual(['https://hooks.example.org/x', secret, 'p@ss']);
});

test.each([
  [{ CALLBOARD_PUBLIC_URL: 'https://a.example.org/path' }, 'CALLBOARD_PUBLIC_URL'],
  [{ CALLBOARD_PUBLIC_URL: 'callboard' }, 'CALLBOARD_PUBLIC_URL'],
  [
    { CALLBOARD_WEBHOOK_URL: 'https://u:top-secret@h.example.org/', CALLBOARD_WEBHOOK_SECRET: secret },
    'no user or password',
  ],
  [{ CALLBOARD_WEBHOOK_URL: 'https://h.example.org/' }, 'CALLBOARD_WEBHOOK_SECRET'],
  [{ CALLBOARD_WEBHOOK_SECRET: 'whsec_top-secret' }, 'CALLBOARD_WEBHOOK_URL'],
  [{ CALLBOARD_MAIL_TO: 'ana@example.org' }, 'CALLBOARD_SMTP_URL'],
  [{ CALLBOARD_SMTP_URL: 'http://u:top-secret@mail' }, 'CALLBOARD_SMTP_URL'],
  [{ CALLBOARD_SMTP_URL: 'smtp://u:top-secret@mail' }, 'CALLBOARD_MAIL_FROM'],
  [{ CALLBOARD_SMTP_URL: 'smtp://mail', CALLBOARD_MAIL_FROM: 'a@b', CALLBOARD_MAIL_TO: 'ana' }, "'ana' is no mail"],
])('%j is refused with a sentence that names it and no secret', (source, named) => {
  const { problems } = readNotifySettings(source);
  expect(problems).toEqual([expect.stringContaining(named)]);
  expect(problems.join()).not.toContain('top-secret');
});

test('addresses that would be several, or a header, are no mail addresses', () => {
  expect(['ana@example.org', 'a+b@x'].map(isMailAddress)).toEqual([true, true]);
  for (const text of ['a@b,c@d', 'a@b\r\nBcc: c@d', 'Ana <a@b>', '@b', 'a@', 'a b@c'])
    expect(isMailAddress(text)).toBe(false);
});

test('a secret has 24 to 64 bytes', () => {
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
  expect([23, 24, 32, 64, 65].map((bytes) => isWebhookSecret(of(bytes)))).toEqual([false, true, true, true, false]);
  expect(isWebhookSecret(Buffer.alloc(32).toString('base64'))).toBe(false);
});
