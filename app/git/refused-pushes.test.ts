import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { listDrafts } from '@/lib/server/drafts';
import { saveRevision } from '@/lib/server/revisions';
import { lockProject } from '@/lib/store/draft-lock';
import { findProject, saveDraft } from '@/lib/store/projects';
import { gitDesk, inside, lead, limits } from '@/lib/testing/git-desk';
import { localActor } from '@/lib/testing/local-actor';
import { POST as receivePack } from './[project]/git-receive-pack/route';
import { POST as uploadPack } from './[project]/git-upload-pack/route';
import { GET as infoRefs } from './[project]/info/refs/route';

/* Pushes that are refused say why, and change nothing. */

const desk = await gitDesk({
  'info/refs': infoRefs,
  'git-upload-pack': uploadPack,
  'git-receive-pack': receivePack,
});
const { store, git, addressOf, fileAt, newProject, write, publish, published, cloned, commit, push, textOfDraft } =
  desk;

test('changes in the editor that no revision has are not lost', async () => {
  const id = await published();
  await cloned(id);
  await commit('two');
  await write(id, 'half done');
  expect((await push('HEAD:draft/main')).said).toContain(
    "(the draft 'main' has changes in the editor that no revision has. Save a revision there, then pull)",
  );
  expect(await textOfDraft(id, 'main')).toBe(lead('half done'));
  await saveRevision(localActor, id, { draft: 'main', message: 'Half' });
  expect((await push('HEAD:draft/main')).said).toMatch(/rejected|fetch first/);
  expect(await textOfDraft(id, 'main')).toBe(lead('half done'));
  await git.ok(['pull', '-q', '--no-rebase', '-Xours', 'origin', 'draft/main'], inside);
  expect((await push('HEAD:draft/main')).code).toBe(0);
  expect(await textOfDraft(id, 'main')).toBe(lead('two'));
});

test('a draft that is pushed while another is made waits, and is counted with it', async () => {
  const id = await published('two');
  await cloned(id);
  const { treeHash } = await findProject(store, id);
  const draft = (name: string) => ({ projectId: id, name, treeHash });
  const others = Array.from({ length: 48 }, (_, index) => draft(`other-${index}`));
  await store.prisma.draft.createMany({ data: others });
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const pushed = await store.prisma.$transaction(
    async (db) => {
      await lockProject(db, id);
      await db.draft.create({ data: draft('made') });
      const under = push('HEAD:draft/pushed');
      await vi.waitFor(async () => expect((await store.pool.query(waiting)).rows).toEqual([{ count: 1 }]), 20_000);
      return { done: under };
    },
    { timeout: 60_000 },
  );
  expect((await pushed.done).said).toContain('a project has at most 50 drafts. Delete one');
  expect(await store.prisma.draft.count({ where: { projectId: id } })).toBe(50);
});

test('a push of tags, labels, and what is no draft is refused with what to do', async () => {
  const id = await published();
  await cloned(id);
  await commit('two');
  for (const [ref, sentence] of [
    ['refs/tags/v1', 'tags are the revisions'],
    ['refs/heads/label/staging', 'labels are moved in Callboard'],
    ['refs/heads/feature', 'only drafts can be pushed'],
    ['refs/notes/x', 'only drafts can be pushed'],
    ['refs/heads/draft/a/b', 'A name has up to 60 letters'],
  ]) {
    expect([ref, (await push(`HEAD:${ref}`)).said]).toEqual([ref, expect.stringContaining(sentence ?? '')]);
    expect(await listDrafts(localActor, id)).toHaveLength(1);
  }
});

const oddities: readonly (readonly [string, () => void, string])[] = [
  ['a symbolic link', () => symlinkSync('/etc/passwd', fileAt('link')), 'is a symbolic link'],
  [
    'two names that differ in capitals',
    () => writeFileSync(fileAt('Fast-Agent.yaml'), ''),
    'differ only in capital letters',
  ],
  [
    'a file that is too large',
    () => writeFileSync(fileAt('big.bin'), Buffer.alloc(11 * 1024 * 1024)),
    'larger than 10 MB',
  ],
  ['a path that leads out on Windows', () => writeFileSync(fileAt('a\\..\\b'), ''), 'contains a backslash'],
];

test('an odd file is refused with a sentence, and changes nothing', async () => {
  const id = await published();
  await cloned(id);
  for (const [what, make, sentence] of oddities) {
    make();
    await git.ok(['add', '-A'], inside);
    await git.ok(['commit', '-qm', 'Odd'], inside);
    // It is refused also where a later commit takes it away.
    await git.ok(['revert', '--no-edit', 'HEAD'], inside);
    const pushed = await push('HEAD:draft/odd');
    expect([what, pushed.code, pushed.said]).toEqual([what, 1, expect.stringContaining(sentence)]);
    expect(await listDrafts(localActor, id)).toHaveLength(1);
    await git.ok(['reset', '-q', '--hard', 'origin/main'], inside);
  }
});

test('a tree that names itself many times over is refused', async () => {
  const id = await published();
  await cloned(id);
  let hash = await git.ok(['hash-object', '-w', '--stdin'], { ...inside, input: Buffer.from('x') });
  for (let level = 0; level < 8; level += 1) {
    const type = level === 0 ? '100644 blob' : '040000 tree';
    const lines = Array.from({ length: 10 }, (_, at) => `${type} ${hash}\t${at}\n`).join('');
    hash = await git.ok(['mktree'], { ...inside, input: Buffer.from(lines) });
  }
  const bomb = await git.ok(['commit-tree', hash, '-m', 'Bomb'], inside);
  expect((await push(`${bomb}:refs/heads/draft/bomb`)).said).toContain('more than 10000 files');
});

test('a file of another project cannot be had by its hash', async () => {
  const other = await newProject();
  const secret = 'only the other project has this';
  const changes = [{ path: 'secret.txt', file: { kind: 'text', text: secret } as const }];
  await saveDraft(store, other, { baseVersion: 1, changes, limits });
  await publish(other);
  const hash = await git.ok(['hash-object', '--stdin'], { input: Buffer.from(secret) });
  await git.ok(['ls-remote', addressOf(other)]);
  const id = await published();
  await cloned(id);
  const tree = await git.ok(['mktree', '--missing'], { ...inside, input: Buffer.from(`100644 blob ${hash}\tx\n`) });
  const made = await git.ok(['commit-tree', tree, '-p', 'HEAD', '-m', 'Steal'], inside);
  const pack = await git.run(['pack-objects', '--stdout', '-q'], {
    ...inside,
    input: Buffer.from(`${made}\n${tree}\n`),
  });
  expect(pack.code).toBe(0);
  const raw = await rawPack([made, tree]);
  const head = `${'0'.repeat(40)} ${made} refs/heads/draft/x\0report-status`;
  const line = `${(head.length + 4).toString(16).padStart(4, '0')}${head}0000`;
  const response = await fetch(`${addressOf(id)}/git-receive-pack`, {
    method: 'POST',
    body: Buffer.concat([Buffer.from(line), raw]),
  });
  expect(await response.text()).toContain('The push lacks objects');
  expect(await listDrafts(localActor, id)).toHaveLength(1);
});

/** Makes a pack of objects as bytes. */
async function rawPack(objects: readonly string[]): Promise<Buffer> {
  const made = await git.ok(['pack-objects', '-q', 'raw'], { ...inside, input: Buffer.from(objects.join('\n')) });
  return readFileSync(fileAt(`raw-${made}.pack`));
}
