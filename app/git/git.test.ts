import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { GET as bundle } from '@/app/api/v1/projects/[project]/bundle/route';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { Role } from '@/lib/base/rights';
import { folderOf } from '@/lib/cards/files';
import { createDraft, listDrafts, restoreRevision } from '@/lib/server/drafts';
import { getReview, giveVerdict, setReviewPolicy } from '@/lib/server/reviews';
import { listRevisions, release, rollBack, saveRevision } from '@/lib/server/revisions';
import { findAudit } from '@/lib/store/audit';
import { collectTrees } from '@/lib/store/collect-trees';
import { lockProject } from '@/lib/store/draft-lock';
import { findProject, insertProject, readDraft, saveDraft } from '@/lib/store/projects';
import { type GitClient, gitClient } from '@/lib/testing/git-client';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { personInBrowser, tokenFor } from '@/lib/testing/token-people';
import { POST as receivePack } from './[project]/git-receive-pack/route';
import { POST as uploadPack } from './[project]/git-upload-pack/route';
import { GET as infoRefs } from './[project]/info/refs/route';

/* The real git client over HTTP, against the handlers of the app. */

const { url, store } = await testDatabase();
const limits = { files: 100, totalBytes: 1_000_000 };
let server: Server;
let origin = '';
let git: GitClient;

const handlers: Readonly<Record<string, typeof infoRefs>> = {
  'info/refs': infoRefs,
  'git-upload-pack': uploadPack,
  'git-receive-pack': receivePack,
};

async function answer(request: IncomingMessage): Promise<Response> {
  const address = new URL(request.url ?? '', origin);
  const [, project = '', rest = ''] = /^\/git\/([^/]+)\/(.+)$/.exec(address.pathname) ?? [];
  const handler = handlers[rest];
  if (handler === undefined) return new Response('none', { status: 404 });
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const hasBody = request.method === 'POST';
  return await handler(
    new Request(address, {
      method: request.method ?? 'GET',
      headers,
      ...(hasBody && { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: 'half' }),
    } as RequestInit),
    { params: Promise.resolve({ project }) },
  );
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void answer(request).then(async (answered) => {
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      for await (const part of answered.body ?? []) response.write(part);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('PORT', String(port));
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});
beforeEach(() => {
  git = gitClient();
});
afterEach(() => git.remove());

const lead = (text: string) => `---\nname: lead\nmodel: passthrough\n---\n${text}\n`;
const newProject = async () =>
  await insertProject(
    store,
    'Own',
    folderOf({ 'agent-cards/lead.md': lead('one'), 'fast-agent.yaml': 'default_model: passthrough\n' }),
    { origin: 'blank' },
  );
async function write(id: ProjectId, text: string, draft = 'main') {
  const { version } = await findProject(store, id, draft);
  const changes = [{ path: 'agent-cards/lead.md', file: { kind: 'text', text: lead(text) } as const }];
  await saveDraft(store, id, { draft, baseVersion: version, changes, limits });
}
const publish = async (id: ProjectId, draft = 'main', note = 'Go') =>
  await release(localActor, id, { label: 'live', target: { draft }, note });
async function published(...texts: readonly string[]): Promise<ProjectId> {
  const id = await newProject();
  await publish(id);
  for (const text of texts) {
    await write(id, text);
    await publish(id, 'main', `Say ${text}`);
  }
  return id;
}
const addressOf = (id: ProjectId) => `${origin}/git/${id}.git`;
const cloned = async (id: ProjectId, ...args: readonly string[]) =>
  await git.ok(['clone', '-q', ...args, addressOf(id), 'own']);
const inside = { in: 'own' };
const fileAt = (at: string) => path.join(git.folder, 'own', at);
const cardOf = () => readFileSync(fileAt('agent-cards/lead.md'), 'utf8');
async function commit(text: string, message = text) {
  writeFileSync(fileAt('agent-cards/lead.md'), lead(text));
  await git.ok(['commit', '-qam', message], inside);
}
const push = async (...args: readonly string[]) => await git.run(['push', 'origin', ...args], inside);
const fsck = async () => {
  const { code, said, out } = await git.run(['fsck', '--strict', '--full'], inside);
  return [code, /error|warning|missing|dangling/.test(said + out)];
};
const textOfDraft = async (id: ProjectId, draft: string) => {
  const file = (await readDraft(store, id, draft)).folder.get('agent-cards/lead.md');
  return file?.kind === 'text' ? file.text : undefined;
};

describe('clone and pull', () => {
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
    await publish(id);
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
    await publish(id, 'cy');
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
    const missing = await git.run(['clone', `${origin}/git/none.git`, 'none']);
    expect(missing.said).toContain('There is no such project');
    const dumb = await fetch(`${addressOf(id)}/info/refs`);
    expect([dumb.status, await dumb.text()]).toEqual([400, expect.stringContaining('speaks smart HTTP')]);
  });

  test('a bundle is cloned without the app', async () => {
    const id = await published('two');
    const response = await bundle(
      new Request(`${origin}/api/v1/projects/${id}/bundle`, { headers: { host: new URL(origin).host } }),
      { params: Promise.resolve({ project: id }) },
    );
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Own.bundle"');
    writeFileSync(path.join(git.folder, 'own.bundle'), new Uint8Array(await response.arrayBuffer()));
    await git.ok(['clone', '-q', 'own.bundle', 'own']);
    expect(cardOf()).toBe(lead('two'));
    expect(await fsck()).toEqual([0, false]);
  });
});

describe('push', () => {
  test('a push to main is refused with a sentence, and a draft keeps the hashes of the pusher', async () => {
    const id = await published('two');
    await cloned(id);
    await commit('three', 'Say three\n\nWith a reason.');
    expect((await push('main')).said).toContain(
      '! [remote rejected] main -> main (what is live changes by publishing: push to refs/heads/draft/… and open a review)',
    );
    const pushed = await push('main:draft/cy');
    expect([pushed.code, pushed.said]).toEqual([0, expect.stringContaining("remote: Draft 'cy' is revision 3.")]);
    expect(pushed.said).toContain(`${origin}/p/${id}?draft=cy`);
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
    // The editor goes on from there, and the pusher pulls it.
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
});

/** Makes a pack of objects as bytes. */
async function rawPack(objects: readonly string[]): Promise<Buffer> {
  const made = await git.ok(['pack-objects', '-q', 'raw'], { ...inside, input: Buffer.from(objects.join('\n')) });
  return readFileSync(fileAt(`raw-${made}.pack`));
}

describe('reviews by pushing', () => {
  const fsck = async () => expect((await git.run(['fsck', '--strict'], inside)).code).toBe(0);
  const approve = async (actor: Actor, id: ProjectId, number: number) => {
    const { head } = await getReview(actor, id, number);
    await giveVerdict(actor, id, number, { verdict: 'approve', revision: head.number, note: '' });
  };
  const person = (name: string, id: ProjectId, role: Role): Actor => {
    const members = new Map([[id, { role, answers: false }] as const]);
    const reach = { kind: 'person', userId: name, name, isAdministrator: false, members } as const;
    return { by: `${name}@x.org`, via: 'web', reach };
  };

  test('clone, commit, a push to main that is refused, one to a draft, review, approval, publishing and pull', async () => {
    const id = await published('two');
    await setReviewPolicy(localActor, id, { approvals: 1, authorMayApprove: false, owners: [] });
    await cloned(id);
    await commit('three', 'Say three\n\nBecause two is too few.');
    expect((await push('main')).said).toContain('what is live changes by publishing');

    const opened = await push('HEAD:refs/heads/draft/more', '-o', 'review');
    expect(opened).toMatchObject({ code: 0, said: expect.stringContaining('remote: Draft') });
    expect(opened.said).toContain('Review 1 is open.');
    expect(opened.said).toContain(`remote:   ${origin}/p/${id}/reviews/1`);
    const review = await getReview(localActor, id, 1);
    expect(review).toMatchObject({ title: 'Say three', body: 'Because two is too few.', draft: 'more', version: 1 });

    const rae = person('rae', id, 'reviewer');
    await approve(rae, id, 1);
    // The next push is a new version, which ends the approval and says why.
    await commit('four');
    const again = await push('HEAD:refs/heads/draft/more', '-o', 'review');
    expect(again.said).toContain('It is version 2 of review 1.');
    const [stale] = (await getReview(localActor, id, 1)).verdicts;
    expect(stale).toMatchObject({ by: 'rae@x.org', staleAt: expect.anything() });
    const target = { revision: (await getReview(localActor, id, 1)).head.number };
    await expect(release(rae, id, { label: 'live', target, note: 'Go' })).rejects.toMatchObject({ code: 'conflict' });
    await approve(rae, id, 1);
    await release(rae, id, { label: 'live', target, note: 'Go' });

    await git.ok(['reset', '-q', '--hard', 'origin/main'], inside);
    await git.ok(['pull', '-q', 'origin', 'main'], inside);
    expect(cardOf()).toBe(lead('four'));
    await fsck();
  });

  test('without the option a push says how to get one, and with a title it has that title', async () => {
    const id = await published('two');
    await cloned(id);
    await commit('three');
    expect((await push('HEAD:refs/heads/draft/more')).said).toContain('or push with -o review');
    await commit('four');
    const opened = await push('HEAD:refs/heads/draft/more', '-o', 'title=Better', '-o', 'body=Why not');
    expect(opened.said).toContain('Review 1 is open.');
    expect(await getReview(localActor, id, 1)).toMatchObject({ title: 'Better', body: 'Why not' });
    await commit('five');
    expect((await push('HEAD:refs/heads/draft/more')).said).toContain('Review 1 of it is open.');
  });

  test('an unknown option changes nothing, and what cannot be reviewed is pushed nevertheless', async () => {
    const id = await published('two');
    await cloned(id);
    await commit('three');
    const typo = await push('HEAD:refs/heads/draft/more', '-o', 'reveiw');
    expect(typo).toMatchObject({ code: 1, said: expect.stringContaining("the push option 'reveiw' is not known") });
    expect((await listDrafts(localActor, id)).map(({ name }) => name)).toEqual(['main']);
    await commit('two');
    const same = await push('HEAD:refs/heads/draft/same', '-o', 'review');
    expect(same).toMatchObject({ code: 0, said: expect.stringContaining('There is no review: ') });
    expect((await listDrafts(localActor, id)).map(({ name }) => name)).toContain('same');
  });
});

describe('people', () => {
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
});
