import type { Db } from './trees';

/**
 * Returns who wrote a part of what a revision would change: the authors of it and of the revisions before it, back to one that was
 * live, and who saved the drafts in between.
 */
export async function contributorsOf(db: Db, revisionId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ readonly by: string }[]>`
    WITH RECURSIVE line AS (
      SELECT id, "parentId", author, savers FROM "Revision" WHERE id = ${revisionId}
      UNION ALL
      SELECT r.id, r."parentId", r.author, r.savers FROM line JOIN "Revision" r ON r.id = line."parentId"
      WHERE NOT EXISTS (SELECT 1 FROM "Release" l WHERE l."revisionId" = r.id AND l.label = 'live')
    )
    SELECT DISTINCT by FROM (SELECT author AS by FROM line UNION ALL SELECT unnest(savers) FROM line) people ORDER BY by`;
  return rows.map(({ by }) => by);
}

/** True if a revision is live, or was. */
export async function wasLive(db: Db, revisionId: string): Promise<boolean> {
  return (await db.release.findFirst({ where: { revisionId, label: 'live' }, select: { id: true } })) !== null;
}
