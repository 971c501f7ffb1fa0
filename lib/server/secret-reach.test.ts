import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localActor } from '@/lib/base/actor';
import { folderOf } from '@/lib/cards/files';
import { installationFor } from '@/lib/server/installation';
import { insertProject } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { sealedSecretsOf } from '@/lib/store/secrets';
import { testDatabase } from '@/lib/testing/postgres';
import { readSecrets, setSecret } from './secrets';

const { url, store } = await testDatabase();
const value = 'ghp-of-the-team-1234567890';
const actor = localActor('web');

beforeEach(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 5)).publicKey);
  vi.stubEnv('CALLBOARD_OPEN', '');
  vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
});
afterEach(() => vi.unstubAllEnvs());

const newProject = async () => await insertProject(store, 'Poems', folderOf({ 'a.md': 'a' }));
const namesFor = async (project: Awaited<ReturnType<typeof newProject>>) =>
  (await sealedSecretsOf(store, project, { accounts: true })).map(({ name }) => name);

test('where people have accounts, a secret of the installation names hosts or projects', async () => {
  const project = await newProject();
  await expect(setSecret(actor, null, { name: 'OPEN_TOKEN', value, hosts: [] })).rejects.toThrow(
    'Name the hosts or the projects that may get OPEN_TOKEN',
  );
  await setSecret(actor, null, { name: 'HOST_TOKEN', value, hosts: ['api.example.com'] });
  await setSecret(actor, null, { name: 'OPENAI_API_KEY', value, hosts: [] });
  await setSecret(actor, project, { name: 'OWN_TOKEN', value, hosts: [] });
  expect(await namesFor(project)).toEqual(['HOST_TOKEN', 'OPENAI_API_KEY', 'OWN_TOKEN']);
});

test('a secret of the installation for some projects goes to no other, and the check says so', async () => {
  const [one, other] = [await newProject(), await newProject()];
  await setSecret(actor, null, { name: 'TEAM_TOKEN', value, hosts: [], projects: [one] });
  expect(await namesFor(one)).toContain('TEAM_TOKEN');
  expect(await namesFor(other)).not.toContain('TEAM_TOKEN');
  expect((await installationFor(one)).secrets).toContain('TEAM_TOKEN');
  expect((await installationFor(other)).secrets).not.toContain('TEAM_TOKEN');
  expect((await readSecrets(actor, null)).secrets).toContainEqual(
    expect.objectContaining({ name: 'TEAM_TOKEN', projects: [one] }),
  );
  await expect(setSecret(actor, one, { name: 'X_TOKEN', value, hosts: [], projects: [other] })).rejects.toThrow(
    'a secret of a project is for this project alone',
  );
});

test('a secret that was set before there were accounts goes nowhere once there are', async () => {
  const project = await newProject();
  vi.stubEnv('CALLBOARD_ACCOUNTS', '0');
  await setSecret(actor, null, { name: 'EARLY_TOKEN', value, hosts: [] });
  const before = await sealedSecretsOf(store, project, { accounts: false });
  expect(before.map(({ name }) => name)).toContain('EARLY_TOKEN');
  vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
  expect(await namesFor(project)).not.toContain('EARLY_TOKEN');
  expect((await installationFor(project)).secrets).not.toContain('EARLY_TOKEN');
});
