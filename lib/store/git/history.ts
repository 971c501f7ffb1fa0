import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import { commitBody, type GitHash, readCommit, type Signature } from '@/lib/interop/git/git-object';
import { ancestorsOf } from '@/lib/interop/git/negotiate';
import { type GitRef, mainRef } from '@/lib/interop/git/refs';
import type { Store } from '@/lib/store/database';
import type { Prisma } from '@/lib/store/generated/client';
import { liveLabel } from '@/lib/store/releases';
import type { Db } from '@/lib/store/trees';
import { writing } from '@/lib/store/writing';
import { readGitTrees } from './git-files';
import { hashObject } from './hash-object';

/*
 * The git history of a project. A revision has one commit: the one that was pushed, or one made of it. `main` is made of the releases of
 * the label `live`, oldest first, and only goes forward:
 *
 *   released      r1        r3          r1 again
 *   main          c1 ────── c3 ──────── m          m has the files of r1, and c3 as its parent
 *                   ╲      ╱
 *                    ╲─ c2         r3 continues r2, so its commit descends from main and is main itself
 *
 * What is missing is made whenever the history is read. The same rows always make the same commits.
 */

export interface StoredCommit {
  readonly hash: GitHash;
  readonly parents: readonly GitHash[];
  readonly treeHash: TreeHash;
  readonly revisionId: string | undefined;
}

export interface History {
  readonly commits: ReadonlyMap<GitHash, StoredCommit>;
  readonly refs: readonly GitRef[];
}

/** Reads the history of a project. Throws nothing for a project without revisions: it has no refs. */
export async function readHistory(store: Store, projectId: ProjectId): Promise<History> {
  if (await hasNew(store.prisma, projectId)) {
    await store.prisma.$transaction(async (db) => await makeCommits(db, projectId), writing);
  }
  return await historyIn(store.prisma, projectId);
}

/** Works like `readHistory`, inside a transaction that has to hold until the history has changed. */
export async function lockHistory(db: Db, projectId: ProjectId): Promise<History> {
  await makeCommits(db, projectId);
  return await historyIn(db, projectId);
}

async function hasNew(db: Db, projectId: ProjectId): Promise<boolean> {
  const [found] = await db.$queryRaw<{ has: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM "Revision" r WHERE r."projectId" = ${projectId}
      AND NOT EXISTS (SELECT 1 FROM "GitCommit" c WHERE c."revisionId" = r.id)
    ) OR EXISTS (
      SELECT 1 FROM "Release" r WHERE r."projectId" = ${projectId} AND r.label = ${liveLabel}
      AND NOT EXISTS (SELECT 1 FROM "GitRelease" g WHERE g."releaseId" = r.id)
    ) AS has`;
  return found?.has === true;
}

/** Makes the commits of revisions and releases that have none. One transaction at a time does so in a project. */
async function makeCommits(db: Db, projectId: ProjectId): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('git ' || ${projectId}, 0))`;
  if (!(await hasNew(db, projectId))) return;
  const commits = new Map((await readCommits(db, projectId)).map((commit) => [commit.hash, commit]));
  const byRevision = new Map([...commits.values()].map(({ revisionId, hash }) => [revisionId ?? '', hash]));
  const rows: Prisma.GitCommitCreateManyInput[] = [];
  const add = (body: Uint8Array, treeHash: string, revisionId: string | undefined): GitHash => {
    const hash = hashObject('commit', body);
    rows.push({ projectId, hash, body: Buffer.from(body), treeHash, revisionId: revisionId ?? null });
    const known = { hash, treeHash: brandAs<TreeHash>(treeHash), parents: readCommit(body).parents, revisionId };
    commits.set(hash, known);
    if (revisionId !== undefined) byRevision.set(revisionId, hash);
    return hash;
  };
  const made: Making = { db, projectId, commits, byRevision, add };
  await makeRevisions(made);
  const releases = await makeReleases(made);
  // All at once, because a statement for each would take longer than the rest.
  await db.gitCommit.createMany({ data: rows, skipDuplicates: true });
  await db.gitRelease.createMany({ data: [...releases] });
}

interface Making {
  readonly db: Db;
  readonly projectId: ProjectId;
  readonly commits: Map<GitHash, StoredCommit>;
  readonly byRevision: Map<string, GitHash>;
  add(body: Uint8Array, treeHash: string, revisionId: string | undefined): GitHash;
}

async function makeRevisions({ db, projectId, commits, byRevision, add }: Making): Promise<void> {
  const revisions = await db.revision.findMany({
    where: { projectId, commit: null },
    orderBy: { number: 'asc' },
    select: {
      ...{ id: true, number: true, treeHash: true, parentId: true, author: true, authorName: true },
      ...{ message: true, draft: true, createdAt: true },
    },
  });
  const trees = await readGitTrees(
    db,
    revisions.map(({ treeHash }) => treeHash),
  );
  const heads = await db.gitHead.findMany({ where: { projectId } });
  for (const { id, number, treeHash, parentId, author, authorName, message, draft, createdAt } of revisions) {
    const pushed = heads.find((head) => head.draft === draft && head.revisionId === parentId);
    const parent = pushed?.hash ?? byRevision.get(parentId ?? 'none');
    const body = commitBody({
      tree: rootOf(trees, treeHash),
      parents: parent === undefined ? [] : [brandAs<GitHash>(parent)],
      author: signatureOf(authorName, author, createdAt),
      message: message.trim() === '' ? `Revision ${number}` : message,
    });
    const hash = hashObject('commit', body);
    // Two revisions that are equal in all that a commit has. The number tells them apart.
    const isTaken = commits.has(hash);
    const apart = new TextEncoder().encode(`\nRevision ${number}\n`);
    add(isTaken ? Buffer.concat([body, apart]) : body, treeHash, id);
  }
}

async function makeReleases({
  db,
  projectId,
  commits,
  byRevision,
  add,
}: Making): Promise<readonly Prisma.GitReleaseCreateManyInput[]> {
  const last = await db.gitRelease.findFirst({ where: { projectId }, orderBy: { number: 'desc' } });
  const releases = await db.release.findMany({
    where: { projectId, label: liveLabel, number: { gt: last?.number ?? 0 } },
    orderBy: { number: 'asc' },
    include: { revision: { select: { id: true, number: true, treeHash: true } } },
  });
  const trees = await readGitTrees(
    db,
    releases.map(({ revision }) => revision.treeHash),
  );
  const made: Prisma.GitReleaseCreateManyInput[] = [];
  let main = last === null ? undefined : brandAs<GitHash>(last.hash);
  for (const { id, number, kind, by, at, reason, revision } of releases) {
    const released = byRevision.get(revision.id);
    if (released === undefined) throw new Error(`Bug: revision ${revision.id} has no commit`);
    if (main === undefined || ancestorsOf([released], commits).has(main)) {
      main = released;
    } else {
      const isIn = ancestorsOf([main], commits).has(released);
      const said =
        kind === 'rollback' ? `Roll back to revision ${revision.number}` : `Publish revision ${revision.number}`;
      const body = commitBody({
        tree: rootOf(trees, revision.treeHash),
        parents: isIn ? [main] : [main, released],
        author: signatureOf(by, by, at),
        message: reason.trim() === '' ? said : `${said}\n\n${reason}`,
      });
      main = add(body, revision.treeHash, undefined);
    }
    made.push({ releaseId: id, projectId, number, hash: main });
  }
  return made;
}

function rootOf(trees: Awaited<ReturnType<typeof readGitTrees>>, treeHash: string): GitHash {
  const tree = trees.get(brandAs<TreeHash>(treeHash));
  if (tree === undefined) throw new Error(`Bug: tree ${treeHash} is missing`);
  return tree.root;
}

/** The name `local`, of somebody without an account, becomes an address that cannot exist (RFC 2606). */
function signatureOf(name: string, by: string, at: Date): Signature {
  const email = by.includes('@') ? by : `${by}@callboard.invalid`;
  return { name, email, seconds: Math.floor(at.getTime() / 1_000) };
}

/** Stores a commit, unless the project has it. A commit that is there without a revision gets this one. */
export async function putCommit(
  db: Db,
  projectId: ProjectId,
  commit: {
    readonly hash: GitHash;
    readonly body: Uint8Array;
    readonly treeHash: string;
    readonly revisionId: string | undefined;
  },
): Promise<void> {
  const { hash, body, treeHash, revisionId } = commit;
  await db.$executeRaw`
    INSERT INTO "GitCommit" ("projectId", hash, body, "treeHash", "revisionId")
    VALUES (${projectId}, ${hash}, ${Buffer.from(body)}, ${treeHash}, ${revisionId ?? null})
    ON CONFLICT ("projectId", hash) DO UPDATE SET "revisionId" = EXCLUDED."revisionId"
    WHERE "GitCommit"."revisionId" IS NULL AND EXCLUDED."revisionId" IS NOT NULL`;
}

async function readCommits(db: Db, projectId: ProjectId): Promise<readonly StoredCommit[]> {
  const rows = await db.gitCommit.findMany({ where: { projectId } });
  return rows.map(({ hash, body, treeHash, revisionId }) => ({
    hash: brandAs<GitHash>(hash),
    parents: readCommit(body).parents,
    treeHash: brandAs<TreeHash>(treeHash),
    revisionId: revisionId ?? undefined,
  }));
}

/** Reads commits as their bytes. */
export async function readCommitBodies(
  db: Db,
  projectId: ProjectId,
  hashes: readonly GitHash[],
): Promise<ReadonlyMap<GitHash, Uint8Array>> {
  const rows = await db.gitCommit.findMany({
    where: { projectId, hash: { in: [...hashes] } },
    select: { hash: true, body: true },
  });
  return new Map(rows.map(({ hash, body }) => [brandAs<GitHash>(hash), body]));
}

async function historyIn(db: Db, projectId: ProjectId): Promise<History> {
  const commits = new Map((await readCommits(db, projectId)).map((commit) => [commit.hash, commit]));
  const rows = await db.$queryRaw<{ name: string; hash: string | null }[]>`
    (SELECT ${mainRef} AS name, g.hash FROM "GitRelease" g WHERE g."projectId" = ${projectId} ORDER BY g.number DESC LIMIT 1)
    UNION ALL
    SELECT 'refs/heads/draft/' || d.name, coalesce(h.hash, c.hash) FROM "Draft" d
      LEFT JOIN "GitHead" h ON h."projectId" = d."projectId" AND h.draft = d.name AND h."revisionId" = d."baseId"
      LEFT JOIN "GitCommit" c ON c."revisionId" = d."baseId"
      WHERE d."projectId" = ${projectId}
    UNION ALL
    SELECT 'refs/heads/label/' || l.label, c.hash FROM (
      SELECT DISTINCT ON (label) label, "revisionId" FROM "Release"
      WHERE "projectId" = ${projectId} AND label <> ${liveLabel} ORDER BY label, number DESC
    ) l JOIN "GitCommit" c ON c."revisionId" = l."revisionId"
    UNION ALL
    SELECT 'refs/tags/r' || r.number, c.hash FROM "Revision" r
      JOIN "GitCommit" c ON c."revisionId" = r.id WHERE r."projectId" = ${projectId}`;
  const refs = rows.flatMap(({ name, hash }) => (hash === null ? [] : [{ name, hash: brandAs<GitHash>(hash) }]));
  return { commits, refs };
}
