import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import { Prisma } from './generated/client';
import { lineOfMoves } from './label-line';
import type { Db } from './trees';

/** A revision that is or was live. */
export interface LiveRevision {
  readonly id: string;
  readonly number: number;
  readonly treeHash: TreeHash;
}

/** A revision by which a line differs from what is live. */
export interface MissedRevision {
  readonly number: number;
  readonly author: string;
  /** True if the line has it and live does not, because live was rolled back. Otherwise live has it and the line does not. */
  readonly wasRolledBack: boolean;
}

/** What a line of revisions has of what went live. */
export interface LiveLine {
  /** What is live. `undefined` for nothing. */
  readonly live: LiveRevision | undefined;
  /** The newest revision of the line that is or was live. */
  readonly takenIn: LiveRevision | undefined;
  /** What was rolled back and what went live after that, in this order. Empty if the line has what is live. */
  readonly missed: readonly MissedRevision[];
}

/**
 * Follows the revisions that a draft or a revision continues up to one that is or was live, and says how live moved since. Where a draft or
 * a revision was updated from live, that counts, and not what it was before. `from` has the ids of the first ones, the newest first.
 *
 *   live     1 ──────── 3 ── 4            takenIn 1, missed 3 and 4
 *   draft    └── 2 ── (files)
 */
export async function liveLine(db: Db, projectId: ProjectId, from: readonly (string | null)[]): Promise<LiveLine> {
  const first = from.find((id) => id !== null) ?? null;
  const [taken] = await takenBy(db, Prisma.sql`SELECT ''::text AS name, ${first}::text AS id`);
  return lineSince(await liveMoves(db, projectId), taken?.id);
}

/** Works like `liveLine` for all drafts of a project, by their names. */
export async function draftLines(db: Db, projectId: ProjectId): Promise<ReadonlyMap<string, LiveLine>> {
  const drafts = Prisma.sql`SELECT name, COALESCE("mergedId", "baseId") AS id FROM "Draft" WHERE "projectId" = ${projectId}`;
  const taken = await takenBy(db, drafts);
  const moves = await liveMoves(db, projectId);
  return new Map(taken.map(({ name, id }) => [name, lineSince(moves, id ?? undefined)]));
}

/**
 * Returns the newest revision from which a line and what is live come. `from` is as for `liveLine`. `undefined` if they have none in common.
 */
export async function lineOrigin(
  db: Db,
  projectId: ProjectId,
  from: readonly (string | null)[],
  { live, takenIn }: LiveLine,
): Promise<LiveRevision | undefined> {
  if (live === undefined) return undefined;
  // A revision that never was live may be nearer to both than the last live one of the line.
  const common = await commonRevision(db, projectId, from, [live.id]);
  if (common === undefined || takenIn === undefined) return common ?? takenIn;
  return common.number > takenIn.number ? common : takenIn;
}

/**
 * Returns the newest revision from which two lines of revisions come. `a` and `b` have the ids of their first ones. `undefined` if they
 * have none in common.
 */
async function commonRevision(
  db: Db,
  projectId: ProjectId,
  a: readonly (string | null)[],
  b: readonly (string | null)[],
): Promise<LiveRevision | undefined> {
  const mine = a.filter((id) => id !== null);
  const theirs = b.filter((id) => id !== null);
  const [found] = await db.$queryRaw<readonly Omit<Move, 'kind' | 'author'>[]>`
    WITH RECURSIVE line AS (
      SELECT id, side FROM (
        SELECT unnest(${mine}::text[]) AS id, 1 AS side UNION ALL SELECT unnest(${theirs}::text[]), 2
      ) first
      UNION
      SELECT up.id, line.side FROM line JOIN "Revision" r ON r.id = line.id
        CROSS JOIN LATERAL (VALUES (r."parentId"), (r."mergedId")) AS up(id) WHERE up.id IS NOT NULL
    )
    SELECT r.id, r.number AS revision, r."treeHash" FROM "Revision" r
    WHERE r."projectId" = ${projectId} AND r.id IN (SELECT id FROM line WHERE side = 1)
      AND r.id IN (SELECT id FROM line WHERE side = 2)
    ORDER BY r.number DESC LIMIT 1`;
  return found && liveRevision(found);
}

interface Taken {
  readonly name: string;
  readonly id: string | null;
}

/** Finds for each name the newest revision that was live. `first` selects names and the ids with which their lines begin. */
async function takenBy(db: Db, first: Prisma.Sql): Promise<readonly Taken[]> {
  return await db.$queryRaw<readonly Taken[]>`
    WITH RECURSIVE line AS (
      SELECT first.name, first.id, 0 AS depth FROM (${first}) first
      UNION ALL
      SELECT line.name, COALESCE(r."mergedId", r."parentId"), line.depth + 1 FROM line JOIN "Revision" r ON r.id = line.id
      WHERE NOT EXISTS (SELECT 1 FROM "Release" l WHERE l."revisionId" = r.id AND l.label = 'live')
    )
    SELECT DISTINCT ON (name) name, id FROM line ORDER BY name, depth DESC`;
}

interface Move {
  readonly kind: string;
  readonly id: string;
  readonly revision: number;
  readonly treeHash: string;
  readonly author: string;
}

/** Lists the moves of the label `live`, oldest first. */
async function liveMoves(db: Db, projectId: ProjectId): Promise<readonly Move[]> {
  return await db.$queryRaw<readonly Move[]>`
    SELECT l.kind, r.id, r.number AS revision, r."treeHash", r."authorName" AS author
    FROM "Release" l JOIN "Revision" r ON r.id = l."revisionId"
    WHERE l."projectId" = ${projectId} AND l.label = 'live' ORDER BY l.number`;
}

/** Compares what is live with what was live when the line took it in. */
function lineSince(moves: readonly Move[], taken: string | null | undefined): LiveLine {
  const at = moves.findLastIndex(({ id }) => id === taken);
  const [then, now] = [lineOfMoves(moves.slice(0, at + 1)), lineOfMoves(moves)];
  const end = then.findIndex(({ id }, index) => now[index]?.id !== id);
  const same = end === -1 ? then.length : end;
  const since = distinct(now.slice(same));
  const undone = distinct(then.slice(same)).filter(({ id }) => since.every((move) => move.id !== id));
  const [live, takenIn] = [moves.at(-1), moves[at]];
  return {
    live: live && liveRevision(live),
    takenIn: takenIn && liveRevision(takenIn),
    missed: [...undone.map((move) => missedOf(move, true)), ...since.map((move) => missedOf(move, false))],
  };
}

/** Returns the last move to each revision. */
function distinct(moves: readonly Move[]): readonly Move[] {
  return moves.filter(({ id }, index) => moves.findLastIndex((move) => move.id === id) === index);
}

function missedOf({ revision, author }: Move, wasRolledBack: boolean): MissedRevision {
  return { number: revision, author, wasRolledBack };
}

function liveRevision({ id, revision, treeHash }: Omit<Move, 'kind' | 'author'>): LiveRevision {
  return { id, number: revision, treeHash: brandAs<TreeHash>(treeHash) };
}
