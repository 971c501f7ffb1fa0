import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GET as bundle } from '@/app/api/v1/projects/[project]/bundle/route';
import { createDraft } from '@/lib/server/drafts';
import { release, rollBack, saveRevision } from '@/lib/server/revisions';
import { collectTrees } from '@/lib/store/collect-trees';
import { gitDesk, inside, lead } from '@/lib/testing/git-desk';
import { localActor } from '@/lib/testing/local-actor';
import { POST as receivePack } from './[project]/git-receive-pack/route';
import { POST as uploadPack } from './[project]/git-upload-pack/route';
import { GET as infoRefs } from './[project]/info/refs/route';

/* What is live is cloned and pulled. */

const desk = await gitDesk({
  'info/refs': infoRefs,
  'git-upload-pack': uploadPack,
  'git-receive-pack': receivePack,
});
const { store, git, originOf, addressOf, newProject, write, publish, published, cloned, cardOf, fsck } = desk;

test('a clone has the history of what is live, with authors and messages, and is sound', async () => {
  const id = await published('two', 'three');
  await cloned(id);
  expect(cardOf()).toBe(lead('three'));
  expect(await git.ok(['log', '--format=%an <%ae> %s'], inside)).toBe(
    ['Say three', 'Say two', 'Go'].map((said) => `local <local@callboard.invalid> ${said}`).join('\n'),
  );
  expect(await git.ok(['tag'], inside)).toBe('r1\nr2\nr3');
  expect(await fsck()).toEqual([0, false]);
});

test('a pull brings what was published since, and nothing else', async () => {
  const id = await published('two');
  await cloned(id);
  await write(id, 'three');
  await publish(id);
  expect(await git.ok(['pull', '--ff-only'], inside)).toContain('Fast-forward');
  expect(cardOf()).toBe(lead('three'));
  expect(await git.ok(['pull'], inside)).toBe('Already up to date.');
  expect(await fsck()).toEqual([0, false]);
});

test('a roll back goes forward in git, so a clone can pull it', async () => {
  const id = await published('two');
  await cloned(id);
  await rollBack(localActor, id, { label: 'live', note: 'It was wrong' });
  await git.ok(['pull', '--ff-only'], inside);
  expect(cardOf()).toBe(lead('one'));
  expect(await git.ok(['log', '-1', '--format=%B'], inside)).toBe('Roll back to revision 1\n\nIt was wrong');
  await write(id, 'three');
  // The draft continues what was rolled back, so a reason is asked for.
  await release(localActor, id, { label: 'live', target: { draft: 'main' }, note: '', override: 'It is right now' });
  await git.ok(['pull', '--ff-only'], inside);
  expect(cardOf()).toBe(lead('three'));
  expect(await fsck()).toEqual([0, false]);
});

test('two drafts that are published one after the other are merged into main', async () => {
  const id = await published('two');
  await createDraft(localActor, id, 'cy', { revision: 2 });
  await write(id, 'of cy', 'cy');
  await saveRevision(localActor, id, { draft: 'cy', message: 'Mine' });
  await write(id, 'three');
  await publish(id);
  await cloned(id);
  await release(localActor, id, { label: 'live', target: { draft: 'cy' }, note: 'Go', override: 'Cy is right.' });
  await git.ok(['pull', '--ff-only'], inside);
  expect(cardOf()).toBe(lead('of cy'));
  expect(await git.ok(['rev-list', '--parents', '-1', 'HEAD'], inside)).toMatch(/^\w{40} \w{40} \w{40}$/);
  expect(await fsck()).toEqual([0, false]);
});

test('the same revision has the same commit after every clone, and labels are branches', async () => {
  const id = await published('two');
  await release(localActor, id, { label: 'staging', target: { revision: 1 }, note: '' });
  const first = await git.ok(['ls-remote', addressOf(id)]);
  expect(first.split('\n').map((line) => line.slice(41))).toEqual([
    'HEAD',
    'refs/heads/draft/main',
    'refs/heads/label/staging',
    'refs/heads/main',
    'refs/tags/r1',
    'refs/tags/r2',
  ]);
  await collectTrees(store, 0);
  expect(await git.ok(['ls-remote', addressOf(id)])).toBe(first);
});

test('a project that nobody published is cloned with its draft, and one without a revision is empty', async () => {
  const id = await newProject();
  expect((await git.run(['clone', addressOf(id), 'none'])).said).toContain('cloned an empty repository');
  await saveRevision(localActor, id, { draft: 'main', message: 'First' });
  await cloned(id);
  expect(await git.ok(['branch', '--show-current'], inside)).toBe('draft/main');
  expect(cardOf()).toBe(lead('one'));
});

test('a shallow clone, another protocol and a project that is not there are refused with a sentence', async () => {
  const id = await published();
  expect((await git.run(['clone', '--depth', '1', addressOf(id), 'own'])).code).not.toBe(0);
  const missing = await git.run(['clone', `${originOf()}/git/none.git`, 'none']);
  expect(missing.said).toContain('There is no such project');
  const dumb = await fetch(`${addressOf(id)}/info/refs`);
  expect([dumb.status, await dumb.text()]).toEqual([400, expect.stringContaining('speaks smart HTTP')]);
});

test('a bundle is cloned without the app', async () => {
  const id = await published('two');
  const response = await bundle(
    new Request(`${originOf()}/api/v1/projects/${id}/bundle`, { headers: { host: new URL(originOf()).host } }),
    { params: Promise.resolve({ project: id }) },
  );
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="Own.bundle"');
  writeFileSync(path.join(git.folder, 'own.bundle'), new Uint8Array(await response.arrayBuffer()));
  await git.ok(['clone', '-q', 'own.bundle', 'own']);
  expect(cardOf()).toBe(lead('two'));
  expect(await fsck()).toEqual([0, false]);
});
