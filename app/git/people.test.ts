import { beforeAll, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { listRevisions } from '@/lib/server/revisions';
import { gitDesk, inside } from '@/lib/testing/git-desk';
import { localActor } from '@/lib/testing/local-actor';
import { personInBrowser, tokenFor } from '@/lib/testing/token-people';
import { POST as receivePack } from './[project]/git-receive-pack/route';
import { POST as uploadPack } from './[project]/git-upload-pack/route';
import { GET as infoRefs } from './[project]/info/refs/route';

/* People push and pull with a token. */

const desk = await gitDesk({
  'info/refs': infoRefs,
  'git-upload-pack': uploadPack,
  'git-receive-pack': receivePack,
});
const { store, git, addressOf, published, commit, push } = desk;

const withToken = (id: ProjectId, token: string) => addressOf(id).replace('://', `://git:${token}@`);

beforeAll(() => {
  vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
  vi.stubEnv('CALLBOARD_OPEN', '');
});

test('a token is the password: read clones, edit pushes, and neither opens another project', async () => {
  const id = await published('two');
  const [editor, viewer, stranger] = [
    await personInBrowser(store, 'ann@git.example', { in: { [id]: 'editor' } }),
    await personInBrowser(store, 'vic@git.example', { in: { [id]: 'viewer' } }),
    await personInBrowser(store, 'sam@git.example'),
  ];
  const anonymous = await git.run(['clone', addressOf(id), 'own']);
  expect(anonymous.said).toContain("could not read Username for '");
  const none = await git.run(['clone', withToken(id, await tokenFor(stranger, ['read'])), 'own']);
  expect(none.said).toContain('There is no such project');
  const wrong = await git.run(['clone', withToken(id, `cb_${'0'.repeat(57)}`), 'own']);
  expect(wrong.said).toContain('Authentication failed');
  await git.ok(['clone', '-q', withToken(id, await tokenFor(viewer, ['read', 'edit'])), 'own']);
  await commit('three');
  expect((await push('HEAD:draft/vic')).said).toContain('You may not change this project.');
  const read = withToken(id, await tokenFor(editor, ['read']));
  expect((await git.run(['push', read, 'HEAD:draft/ann'], inside)).said).toContain("It needs the scope 'edit'.");
  const edit = withToken(id, await tokenFor(editor, ['edit']));
  expect((await git.run(['push', edit, 'HEAD:draft/ann'], inside)).code).toBe(0);
  const { revisions } = await listRevisions(localActor, id, { limit: 1 });
  expect(revisions[0]).toMatchObject({ author: 'ann@git.example', draft: 'ann' });
});

test('nobody forces out the last revision of somebody else', async () => {
  const id = await published();
  const [ann, ben] = await Promise.all(
    ['ann2', 'ben2'].map(async (name) =>
      withToken(
        id,
        await tokenFor(await personInBrowser(store, `${name}@git.example`, { in: { [id]: 'editor' } }), ['edit']),
      ),
    ),
  );
  await git.ok(['clone', '-q', ann ?? '', 'own']);
  await commit('two');
  await push('HEAD:draft/shared');
  await git.ok(['commit', '-q', '--amend', '-m', 'Mine'], inside);
  const forced = await git.run(['push', ben ?? '', '+HEAD:draft/shared'], inside);
  expect(forced.said).toContain("the last revision of the draft 'shared' is by ann2@git.example.");
});
