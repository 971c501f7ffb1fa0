import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GET as list } from '@/app/api/v1/secrets/route';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { findProject, insertProject } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { listSecrets } from '@/lib/store/secrets';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { setMirror } from './mirror';
import { saveFiles } from './projects';
import { release } from './revisions';
import { withNamings } from './secret-namings';
import { forgetSecret, readSecrets, setSecret } from './secrets';

const { url, store } = await testDatabase();
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 5)).publicKey);
});
afterAll(() => vi.unstubAllEnvs());

const lead = '---\nname: lead\nmodel: openai.gpt-4o\nservers: [git]\n---\nLead.\n';
const configOf = (name: string) =>
  `mcp:\n  servers:\n    git: { url: "https://git.example.org/mcp", headers: { Authorization: "Bearer \${${name}}" } }\n`;

const project = async (name: string, secret = 'GIT_TOKEN') =>
  await insertProject(store, name, folderOf({ 'lead.md': lead, 'fast-agent.yaml': configOf(secret) }), {
    origin: 'blank',
  });
const put = async (place: ProjectId | null, name = 'GIT_TOKEN') =>
  await setSecret(localActor, place, { name, value: 'of-the-team-12345', hosts: [] });

async function named(place: ProjectId | null, secret = 'GIT_TOKEN') {
  const { secrets, unread } = await readSecrets(localActor, place);
  expect(unread).toBe(0);
  const found = secrets.find(({ name }) => name === secret)?.namedBy ?? [];
  return found.map(({ kind, name, projectName, places }) => [projectName, `${kind} ${name}`, ...places]);
}

async function renameTo(id: ProjectId, secret: string) {
  const { version } = await findProject(store, id);
  const changes = [{ path: 'fast-agent.yaml', text: configOf(secret) }];
  await saveFiles(localActor, id, { draft: 'main', baseVersion: version, changes });
}

test('a secret of a project says which servers and mirrors name it, in its drafts and in what is live', async () => {
  const id = await project('Poems');
  await project('Other');
  await put(id);
  expect(await named(id)).toEqual([['Poems', 'server git', 'main draft']]);
  const override = 'No tests here.';
  await release(localActor, id, { label: 'live', target: { draft: 'main' }, note: 'Go', override });
  expect(await named(id)).toEqual([['Poems', 'server git', 'live (revision 1)', 'main draft']]);
  await renameTo(id, 'SECOND_TOKEN');
  expect(await named(id)).toEqual([['Poems', 'server git', 'live (revision 1)']]);
  await put(id, 'SECOND_TOKEN');
  expect(await named(id, 'SECOND_TOKEN')).toEqual([['Poems', 'server git', 'main draft']]);
  await setMirror(localActor, id, { url: 'https://host.example.org/a.git', user: 'git', secret: 'SECOND_TOKEN' });
  expect(await named(id, 'SECOND_TOKEN')).toContainEqual(['Poems', 'mirror host.example.org']);
});

test('a secret of the installation is named in every project without one of its own', async () => {
  const [first, second] = [await project('Odes', 'SHARED_TOKEN'), await project('Songs', 'SHARED_TOKEN')];
  await put(null, 'SHARED_TOKEN');
  await put(null, 'OPENAI_API_KEY');
  const ofBoth = await named(null, 'SHARED_TOKEN');
  expect(ofBoth.toSorted()).toEqual([
    ['Odes', 'server git', 'main draft'],
    ['Songs', 'server git', 'main draft'],
  ]);
  expect(await named(null, 'OPENAI_API_KEY')).toContainEqual(['Odes', 'provider openai', 'main draft']);
  await put(second, 'SHARED_TOKEN');
  expect(await named(null, 'SHARED_TOKEN')).toEqual([['Odes', 'server git', 'main draft']]);
  expect(await named(second, 'SHARED_TOKEN')).toEqual([['Songs', 'server git', 'main draft']]);
  await forgetSecret(localActor, second, 'SHARED_TOKEN');

  // Somebody who may read one project sees nothing of the other.
  const { secrets } = await withNamings(store, await listSecrets(store, null), [first]);
  const projects = new Set(secrets.flatMap(({ namedBy }) => namedBy.map((naming) => naming.project)));
  expect([...projects]).toEqual([first]);
});

test('the HTTP API lists what names a secret', async () => {
  const id = await project('Plays');
  await put(id);
  const request = new Request(`http://127.0.0.1:3000/api/v1/secrets?project=${id}`, {
    headers: { Host: '127.0.0.1:3000' },
  });
  const response = await list(request, { params: Promise.resolve({}) } as never);
  const place = { project: id, projectName: 'Plays', places: ['main draft'] };
  expect(await response.json()).toMatchObject({
    secrets: [{ name: 'GIT_TOKEN', namedBy: [{ kind: 'server', name: 'git', ...place }] }],
    unread: 0,
  });
});
