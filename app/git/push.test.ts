import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listDrafts, restoreRevision } from '@/lib/server/drafts';
import { listRevisions, rollBack, saveRevision } from '@/lib/server/revisions';
import { findAudit } from '@/lib/store/audit';
import { collectTrees } from '@/lib/store/collect-trees';
import { gitDesk, inside, lead } from '@/lib/testing/git-desk';
import { localActor } from '@/lib/testing/local-actor';
import { POST as receivePack } from './[project]/git-receive-pack/route';
import { POST as uploadPack } from './[project]/git-upload-pack/route';
import { GET as infoRefs } from './[project]/info/refs/route';

/* Commits are pushed as drafts. */

const desk = await gitDesk({
  'info/refs': infoRefs,
  'git-upload-pack': uploadPack,
  'git-receive-pack': receivePack,
});
const {
  store,
  git,
  originOf,
  addressOf,
  fileAt,
  write,
  publish,
  published,
  cloned,
  cardOf,
  commit,
  push,
  fsck,
  textOfDraft,
} = desk;

test('a push to main is refused with a sentence, and a draft keeps the hashes of the pusher', async () => {
  const id = await published('two');
  await cloned(id);
  await commit('three', 'Say three\n\nWith a reason.');
  expect((await push('main')).said).toContain(
    '! [remote rejected] main -> main (what is live changes by publishing: push to refs/heads/draft/… and open a review)',
  );
  const pushed = await push('main:draft/cy');
  expect([pushed.code, pushed.said]).toEqual([0, expect.stringContaining("remote: Draft 'cy' is revision 3.")]);
  expect(pushed.said).toContain(`${originOf()}/p/${id}?draft=cy`);
  expect(await textOfDraft(id, 'cy')).toBe(lead('three'));
  const { revisions } = await listRevisions(localActor, id, { limit: 1 });
  expect(revisions[0]).toMatchObject({ number: 3, parent: 2, draft: 'cy', message: 'Say three\n\nWith a reason.' });
  const head = await git.ok(['rev-parse', 'HEAD'], inside);
  expect(await git.ok(['ls-remote', addressOf(id), 'draft/cy', 'r3'])).toBe(
    `${head}\trefs/heads/draft/cy\n${head}\trefs/tags/r3`,
  );
  await publish(id, 'cy');
  expect(await git.ok(['pull', 'origin', 'main'], inside)).toContain('Already up to date');
  expect(await git.ok(['rev-parse', 'origin/main'], inside)).toBe(head);
  await collectTrees(store, 0);
  await git.ok(['clone', '-q', addressOf(id), 'again']);
  expect(await git.ok(['log', '-1', '--format=%H %an'], { in: 'again' })).toBe(`${head} Cy`);
  expect(await fsck()).toEqual([0, false]);
});

test('several commits are one revision, and a later push sends what is new', async () => {
  const id = await published();
  await cloned(id);
  for (const text of ['two', 'three', 'four']) await commit(text);
  expect((await push('HEAD:draft/cy')).code).toBe(0);
  expect((await listRevisions(localActor, id, { limit: 9 })).revisions.map(({ message }) => message)).toEqual([
    'four',
    'Go',
  ]);
  await commit('five');
  await git.ok(['commit', '--allow-empty', '-qm', 'Nothing'], inside);
  expect((await push('HEAD:draft/cy')).code).toBe(0);
  expect((await push('HEAD:draft/cy')).said).toContain('Everything up-to-date');
  await git.ok(['clone', '-q', '-b', 'draft/cy', addressOf(id), 'again']);
  expect(await git.ok(['rev-list', '--count', 'HEAD'], { in: 'again' })).toBe('6');
  // Somebody saves in the editor after the push, and the person who pushed pulls that.
  await write(id, 'six', 'cy');
  await saveRevision(localActor, id, { draft: 'cy', message: 'Six' });
  await git.ok(['pull', '-q', '--ff-only'], { in: 'again' });
  expect(await git.ok(['log', '-2', '--format=%s'], { in: 'again' })).toBe('Six\nNothing');
  expect(await git.run(['fsck', '--strict'], { in: 'again' })).toMatchObject({ code: 0 });
});

test('a file that may be executed, other bytes and a name beyond ASCII come back as they were', async () => {
  const id = await published();
  await cloned(id);
  mkdirSync(fileAt('tools'));
  writeFileSync(fileAt('tools/run.py'), 'print(1)\r\n', { mode: 0o755 });
  writeFileSync(fileAt('tools/Größe 😀.bin'), Buffer.from([0, 255, 13, 10]));
  await git.ok(['add', '-A'], inside);
  await git.ok(['commit', '-qm', 'Tools'], inside);
  expect((await push('HEAD:draft/tools')).code).toBe(0);
  await write(id, 'seven', 'tools');
  await saveRevision(localActor, id, { draft: 'tools', message: 'Seven' });
  await git.ok(['pull', '-q', 'origin', 'draft/tools'], inside);
  expect(await git.ok(['-c', 'core.quotePath=false', 'ls-tree', '-r', 'HEAD', '--', 'tools'], inside)).toMatch(
    /^100644 blob \w{40}\ttools\/Größe 😀\.bin\n100755 blob \w{40}\ttools\/run\.py$/,
  );
  expect(cardOf()).toBe(lead('seven'));
});

test('a person may force out a revision that the same person pushed; it stays as a tag, and a deleted draft is gone', async () => {
  const id = await published();
  await cloned(id);
  await commit('two');
  await push('HEAD:draft/cy');
  await git.ok(['commit', '-q', '--amend', '-m', 'Better'], inside);
  expect((await push('HEAD:draft/cy')).said).toContain('rejected');
  expect((await push('+HEAD:draft/cy')).code).toBe(0);
  expect((await git.ok(['ls-remote', '--tags', addressOf(id)])).split('\n')).toHaveLength(3);
  const gone = await push(':draft/cy');
  expect([gone.code, gone.said]).toEqual([0, expect.stringContaining("Draft 'cy' is deleted.")]);
  expect((await listDrafts(localActor, id)).map(({ name }) => name)).toEqual(['main']);
  expect(await findAudit(store, { actions: ['draft.deleted'], project: id, limit: 2 }, undefined)).toMatchObject([
    { actor: 'local', object: 'cy' },
  ]);
  expect((await push(':draft/main')).said).toContain("The draft 'main' cannot be deleted.");
});

test('a draft that was given an old revision in the editor can be pushed to again', async () => {
  const id = await published('two');
  await cloned(id);
  await restoreRevision(localActor, id, 1, 'main');
  await commit('three');
  expect((await push('HEAD:draft/main')).said).toContain('has changes in the editor');
  await saveRevision(localActor, id, { draft: 'main', message: 'Back' });
  await git.ok(['pull', '-q', '--no-rebase', '-Xours', 'origin', 'draft/main'], inside);
  expect((await push('HEAD:draft/main')).code).toBe(0);
  expect(await textOfDraft(id, 'main')).toBe(lead('three'));
});

test('a commit of main, of a merge and of another draft can be pushed as a draft', async () => {
  const id = await published('two');
  await rollBack(localActor, id, { label: 'live', note: '' });
  await cloned(id);
  expect((await push('main:draft/same')).code).toBe(0);
  await git.ok(['checkout', '-q', '-b', 'side', 'HEAD~1'], inside);
  await git.ok(['commit', '-q', '--allow-empty', '-m', 'Side'], inside);
  await git.ok(['merge', '-q', '--no-edit', 'main'], inside);
  expect((await push('side:draft/merged', 'side~1:refs/heads/draft/side')).code).toBe(0);
  await git.ok(['fetch', '-q'], inside);
  for (const [branch, here] of [
    ['same', 'main'],
    ['merged', 'side'],
    ['side', 'side~1'],
  ]) {
    expect(await git.ok(['rev-parse', `origin/draft/${branch}`], inside)).toBe(
      await git.ok(['rev-parse', here ?? ''], inside),
    );
  }
  expect(await fsck()).toEqual([0, false]);
});
