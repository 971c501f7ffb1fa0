import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitBody, type GitObject, readCommit, readTreeBody } from '@/lib/interop/git/git-object';
import { gitClient } from '@/lib/testing/git-client';
import { hashObject } from './hash-object';
import { readPack } from './read-pack';
import { gitTrees } from './tree-objects';
import { writePack } from './write-pack';

const git = gitClient();
beforeAll(() => git.ok(['init', '--quiet']));
afterAll(() => git.remove());

const limits = { objects: 10_000, objectBytes: 10_000_000, totalBytes: 50_000_000 };
const code = (wanted: string) => expect.objectContaining({ name: 'AppError', code: wanted });

/** Names that sort differently as bytes, as UTF-16 and as folders. */
const name = fc
  .oneof(
    fc.constantFrom('a', 'a.b', 'a-b', 'a0', 'A', 'é', '😀', '\ufb01', 'x y', '-x'),
    fc.stringMatching(/^[a-c.]{1,4}$/),
  )
  .filter((text) => !/^\.{1,2}$/.test(text));
const filePath = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const folder = fc
  .uniqueArray(fc.record({ path: filePath, bytes: fc.uint8Array({ maxLength: 300 }), isExecutable: fc.boolean() }), {
    selector: ({ path: at }) => at,
    minLength: 1,
    maxLength: 12,
  })
  .filter((files) => files.every((a) => files.every((b) => a === b || !b.path.startsWith(`${a.path}/`))));

const author = { name: 'Änn <x>\n', email: 'ann@example.org', seconds: 1_790_000_000 };

async function packOf(objects: readonly GitObject[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of writePack(objects.length, objects)) parts.push(part);
  return Buffer.concat(parts);
}

test('files, folders and commits have the hashes that git gives them', async () => {
  await fc.assert(
    fc.asyncProperty(folder, fc.string({ unit: 'grapheme' }), async (files, message) => {
      await git.ok(['read-tree', '--empty']);
      const known = new Map<string, { hash: ReturnType<typeof hashObject>; isExecutable: boolean }>();
      const lines: string[] = [];
      for (const { path: at, bytes, isExecutable } of files) {
        const hash = hashObject('blob', bytes);
        expect(await git.ok(['hash-object', '-w', '--stdin'], { input: bytes })).toBe(hash);
        known.set(at, { hash, isExecutable });
        lines.push(`${isExecutable ? '100755' : '100644'} ${hash}\t${at}\0`);
      }
      await git.ok(['update-index', '-z', '--index-info'], { input: Buffer.from(lines.join('')) });
      const { root, bodies } = gitTrees(known);
      expect(await git.ok(['write-tree'])).toBe(root);
      for (const [hash, body] of bodies) expect(hashObject('tree', body)).toBe(hash);
      const commit = commitBody({ tree: root, parents: [], author, message });
      const hash = await git.ok(['hash-object', '-t', 'commit', '-w', '--stdin'], { input: commit });
      expect(hash).toBe(hashObject('commit', commit));
      expect(readCommit(commit)).toMatchObject({ tree: root, parents: [] });
    }),
    { numRuns: 6 },
  );
  const checked = await git.run(['fsck', '--strict', '--no-dangling']);
  expect([checked.code, checked.said]).toEqual([0, expect.not.stringMatching(/error|warning/)]);
});

test('git reads our packs, and we read packs of git with deltas', async () => {
  const there = gitClient();
  try {
    await there.ok(['init', '--quiet']);
    const text = Array.from({ length: 400 }, (_, line) => `line ${line} of a text that changes a little\n`);
    for (let at = 0; at < 12; at += 1) {
      mkdirSync(path.join(there.folder, 'cards'), { recursive: true });
      writeFileSync(path.join(there.folder, 'cards/lead.md'), text.with(at * 20, `changed ${at}\n`).join(''));
      writeFileSync(path.join(there.folder, `${at}.bin`), Buffer.alloc(at * 5_000, at));
      await there.ok(['add', '-A']);
      await there.ok(['commit', '--quiet', '-m', `Change ${at}`]);
    }
    for (const options of [['--delta-base-offset'], [], ['--window=0']]) {
      await there.ok(['repack', '-adfq', '--depth=10']);
      const list = await there.ok(['rev-list', '--objects', '--all']);
      const made = (await there.ok(['pack-objects', '-q', ...options, 'p'], { input: Buffer.from(list) })).trim();
      const objects = readPack(readFileSync(path.join(there.folder, `p-${made}.pack`)), limits);
      const listed = list.split('\n').map((line) => line.slice(0, 40));
      expect([...objects.keys()].sort()).toEqual(listed.sort());
      const ours = await packOf([...objects.values()]);
      expect([...readPack(ours, limits).keys()]).toEqual([...objects.keys()]);
      const empty = gitClient();
      try {
        await empty.ok(['init', '--quiet', '--bare']);
        await empty.ok(['index-pack', '--strict', '--stdin'], { input: ours });
        expect(await empty.ok(['rev-list', '--count', '--all', await there.ok(['rev-parse', 'HEAD'])])).toBe('12');
        expect(await empty.run(['fsck', '--strict', '--full'])).toMatchObject({ code: 0 });
      } finally {
        empty.remove();
      }
    }
  } finally {
    there.remove();
  }
});

test('a pack that unpacks to more than it may is refused, and one with too many objects too', async () => {
  const large = await packOf([{ kind: 'blob', body: new Uint8Array(20_000_000) }]);
  expect(large.length).toBeLessThan(100_000);
  expect(() => readPack(large, limits)).toThrow(code('too_large'));
  const many = await packOf(
    Array.from({ length: 9 }, () => ({ kind: 'blob' as const, body: new Uint8Array(6_000_000) })),
  );
  expect(() => readPack(many, limits)).toThrow(code('too_large'));
  const three = await packOf(
    Array.from({ length: 3 }, (_, at) => ({ kind: 'blob' as const, body: Uint8Array.of(at) })),
  );
  expect(() => readPack(three, { ...limits, objects: 2 })).toThrow(code('too_large'));
});

test('a damaged pack is refused, whatever its bytes', async () => {
  const bodies = ['one', 'two', 'three'].map((text) => new TextEncoder().encode(text.repeat(40)));
  const pack = await packOf(bodies.map((body) => ({ kind: 'blob', body })));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(pack.length - 21), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.nat(pack.length),
      (changes, cut) => {
        const broken = Buffer.from(pack);
        for (const [at, byte] of changes) broken[at] = byte;
        // With a right checksum, so that what lies behind it is tried.
        createHash('sha1')
          .update(broken.subarray(0, -20))
          .digest()
          .copy(broken, broken.length - 20);
        for (const bytes of [broken, broken.subarray(0, cut)]) {
          try {
            readPack(bytes, limits);
          } catch (error) {
            expect(error).toMatchObject({ name: 'AppError' });
          }
        }
      },
    ),
    { numRuns: 400 },
  );
});

const tree = (mode: string, at: string) => Buffer.concat([Buffer.from(`${mode} ${at}\0`), Buffer.alloc(20, 7)]);

test.each([
  ['a symbolic link', tree('120000', 'x'), /"cards\/x" is a symbolic link/],
  ['a submodule', tree('160000', 'x'), /"cards\/x" is a submodule/],
  ['a mode of old git', tree('100664', 'x'), /"cards\/x" has a mode/],
  ['..', tree('40000', '..'), /project cannot keep/],
  ['.git', tree('40000', '.git'), /project cannot keep/],
  ['.GIT', tree('40000', '.GIT'), /project cannot keep/],
  ['git~1', tree('40000', 'git~1'), /project cannot keep/],
  ['.g\u200cit', tree('40000', '.g\u200cit'), /project cannot keep/],
  ['a slash in a name', tree('100644', 'a/b'), /project cannot keep/],
  ['a name that comes twice', Buffer.concat([tree('100644', 'a'), tree('100644', 'a')]), /damaged/],
  ['the wrong order', Buffer.concat([tree('100644', 'b'), tree('100644', 'a')]), /damaged/],
  ['half a hash', tree('100644', 'b').subarray(0, 20), /damaged/],
])('a tree with %s is refused with a sentence', (_what, body, sentence) => {
  expect(() => readTreeBody(body, 'cards/')).toThrow(sentence);
});

test.each([
  '',
  'tree x\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n',
  `tree ${'0'.repeat(40)}\nauthor A 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`,
  `tree ${'0'.repeat(40)}\nparent 1\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`,
  `tree ${'0'.repeat(40)}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\0y\n`,
  `tree ${'0'.repeat(40)}\nauthor A <a@b> 01 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`,
])('a commit with the text %j is refused', (text) => {
  expect(() => readCommit(new TextEncoder().encode(text))).toThrow(code('bad_request'));
});
