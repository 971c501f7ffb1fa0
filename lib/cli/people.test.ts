import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readResetLink } from '@/lib/server/accounts/passwords';
import { findAudit } from '@/lib/store/audit';
import { makePerson } from '@/lib/testing/accounts';
import { callCallboard } from '@/lib/testing/callboard';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-cli-people-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const atServer = { DATABASE_URL: url, CALLBOARD_DATA: folder, PORT: '3000' };
const people = async (...args: string[]) => await callCallboard(['people', ...args], atServer);

test('people are listed, and an administrator who lost access gets a link on the machine with the database', async () => {
  expect(await people()).toMatchObject({ code: 0, stdout: '', stderr: 'Nobody has an account here.\n' });
  const ada = await makePerson(store, 'ada@example.org', { administrator: true });
  expect((await people()).stdout).toBe('ada@example.org\tada\tadministrator\n');
  const { code, stdout } = await people('--reset-link', 'Ada@Example.org');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/reset\?token=\S{43}\n$/)]);
  const token = new URL(stdout).searchParams.get('token') ?? '';
  expect((await readResetLink(store, token)).id).toBe(ada.id);
  const [entry] = await findAudit(store, { actions: ['person.reset_link_made'], limit: 1 }, undefined);
  expect([entry?.actor, entry?.via, entry?.object]).toEqual(['local', 'cli', 'ada@example.org']);
});

test('a second factor that was lost is removed, with all sessions', async () => {
  const { id, email } = await makePerson(store, 'bo@example.org');
  await store.prisma.authTwoFactor.create({ data: { id: 'f', userId: id, secret: 's', backupCodes: 'b' } });
  await store.prisma.authUser.update({ where: { id }, data: { twoFactorEnabled: true } });
  await store.prisma.authSession.create({ data: { id: 's', userId: id, token: 't', expiresAt: new Date(2e12) } });
  expect((await people()).stdout).toContain('bo@example.org\tbo\tmember, second factor\n');
  expect(await people('--reset-second-factor', email)).toMatchObject({ code: 0, stdout: '' });
  expect((await people()).stdout).toContain('bo@example.org\tbo\tmember\n');
  expect(await store.prisma.authSession.count()).toBe(0);
  expect(await people('--reset-second-factor', email)).toMatchObject({ code: 2, stdout: '' });
});

test('an unknown address and wrong arguments are refused with a reason', async () => {
  expect(await people('--reset-link', 'nobody@example.org')).toMatchObject({
    code: 2,
    stderr: 'Nobody has an account with the address nobody@example.org.\n',
  });
  expect((await people('--reset-link', 'a@b.c', '--reset-second-factor', 'a@b.c')).stderr).toContain('one at a time');
  expect((await people('--all')).code).toBe(2);
});
