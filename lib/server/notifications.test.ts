import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isWebhookSecret } from '@/lib/jobs/notify/notify-settings';
import { findAudit } from '@/lib/store/audit';
import { mailServerKey } from '@/lib/store/notify-targets';
import { openingKey } from '@/lib/store/sealing';
import { writeSetting } from '@/lib/store/settings';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { addMail, addWebhook, readNotifications, removeTarget, renewSecret, testTarget } from './notifications';

const { url, store } = await testDatabase();
const groups = ['questions'] as const;
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 9)).publicKey);
});
afterAll(() => vi.unstubAllEnvs());

const address = 'https://hooks.example.org/a?key=1';

test('the secret of a webhook is returned once, and is in no state and no audit entry', async () => {
  const { secret } = await addWebhook(localActor, { url: address, project: undefined, groups });
  expect(isWebhookSecret(secret)).toBe(true);
  const [target] = (await readNotifications(localActor)).targets;
  if (target === undefined) throw new Error('There is no target');
  const renewed = await renewSecret(localActor, target.id);
  expect(renewed.secret).not.toBe(secret);
  const stored = await store.prisma.notifyTarget.findUnique({ where: { id: target.id } });
  expect(stored?.secret).not.toContain('whsec_');
  await testTarget(localActor, target.id);
  const state = await readNotifications(localActor);
  expect(state.targets).toMatchObject([{ address, notices: [{ isTest: true, state: 'waiting', attempts: 0 }] }]);
  await expect(addWebhook(localActor, { url: address, project: undefined, groups })).rejects.toMatchObject({
    code: 'conflict',
  });
  await removeTarget(localActor, target.id);
  await expect(removeTarget(localActor, target.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(testTarget(localActor, target.id)).rejects.toMatchObject({ code: 'not_found' });
  const entries = await findAudit(store, { limit: 10 }, undefined);
  expect(entries.map(({ action }) => action)).toEqual([
    'notice_target.removed',
    'notice_target.changed',
    'notice_target.added',
  ]);
  for (const text of [JSON.stringify(state), JSON.stringify(entries)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(renewed.secret);
  }
  expect(JSON.stringify(entries)).not.toContain('key=1');
});

test('an eleventh test of a webhook in ten minutes is refused, and others can still be tested', async () => {
  for (const path of ['one', 'two']) {
    await addWebhook(localActor, { url: `https://hooks.example.org/tests/${path}`, project: undefined, groups });
  }
  const [one, two] = (await readNotifications(localActor)).targets;
  if (one === undefined || two === undefined) throw new Error('There are no targets');
  for (let index = 0; index < 10; index++) await testTarget(localActor, one.id);
  await expect(testTarget(localActor, one.id)).rejects.toMatchObject({
    code: 'too_many',
    message: 'Too many test notices were sent to this address. Try again in 10 minutes.',
  });
  await testTarget(localActor, two.id);
  for (const { id } of [one, two]) await removeTarget(localActor, id);
});

test('an address that cannot be used is refused with the reason', async () => {
  const project = undefined;
  for (const bad of ['ftp://x/', 'hooks.example.org', 'https://u:p@hooks.example.org/']) {
    await expect(addWebhook(localActor, { url: bad, project, groups })).rejects.toMatchObject({ code: 'bad_request' });
  }
  const mail = { address: 'ana@example.org', project, mayAnswer: true, groups };
  await expect(addMail(localActor, mail)).rejects.toThrow('No mail server is set.');
  await writeSetting(store.pool, mailServerKey, JSON.stringify({ host: 'mail.example.org', from: 'cb@example.org' }));
  await addMail(localActor, mail);
  await expect(addMail(localActor, { ...mail, address: 'a@b, c@d' })).rejects.toThrow('no mail address');
  expect(await readNotifications(localActor)).toMatchObject({
    mailServer: { host: 'mail.example.org', from: 'cb@example.org' },
    targets: [{ kind: 'mail', address: 'ana@example.org', mayAnswer: true, notices: [] }],
  });
});
