import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import type { Db } from './trees';

/** A revision that is or was live. */
export interface LiveRevision {
  readonly id: string;
  readonly number: number;
  readonly treeHash: TreeHash;
}

/** What a line of revisions has of what went live. */
export interface LiveLine {
  /** What is live. `undefined` for nothing. */
  readonly live: LiveRevision | undefined;
  /** The revision that was live last and that the line continues or was updated from. */
  readonly takenIn: LiveRevision | undefined;
  /** What went live after that, oldest first. Empty if the line has what is live. */
  readonly missed: readonly { readonly number: number; readonly author: string }[];
}

/**
 * Follows the revisions that a draft or a revision continues, and those that they were updated from, and says what went live after the newest
 * of them. `from` has the ids of the first ones.
 *
 *   live     1 ──────── 3 ── 4            takenIn 1, missed 3 and 4
 *   draft    └── 2 ── (files)
 */
export async function liveLine(db: Db, projectId: ProjectId, from: readonly (string | null)[]): Promise<LiveLine> {
  const first = from.filter((id) => id !== null);
  const rows = await db.$queryRaw<readonly Row[]>`
    WITH RECURSIVE line AS (
      SELECT unnest(${first}::text[]) AS id
      UNION
      SELECT up.id FROM line JOIN "Revision" r ON r.id = line.id
        CROSS JOIN LATERAL (VALUES (r."parentId"), (r."mergedId")) AS up(id) WHERE up.id IS NOT NULL
    ), taken AS (
      SELECT max(number) AS number FROM "Release"
      WHERE "projectId" = ${projectId} AND label = 'live' AND "revisionId" IN (SELECT id FROM line)
    )
    SELECT r.id, r.number, r."treeHash", r."authorName" AS author,
      l.number IS NOT DISTINCT FROM (SELECT number FROM taken) AS taken FROM "Release" l JOIN "Revision" r ON r.id = l."revisionId"
    WHERE l."projectId" = ${projectId} AND l.label = 'live'
      AND l.number >= COALESCE((SELECT number FROM taken), 0)
    ORDER BY l.number`;
  const live = rows.at(-1);
  const taken = rows[0]?.taken === true ? rows[0] : undefined;
  const missed = taken === undefined ? rows : rows.slice(1);
  return {
    live: live && revisionOf(live),
    takenIn: taken && revisionOf(taken),
    missed: missed.map(({ number, author }) => ({ number, author })),
  };
}

interface Row {
  readonly id: string;
  readonly number: number;
  readonly treeHash: string;
  readonly author: string;
  readonly taken: boolean;
}

function revisionOf({ id, number, treeHash }: Row): LiveRevision {
  return { id, number, treeHash: brandAs<TreeHash>(treeHash) };
}
