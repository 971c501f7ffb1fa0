import { z } from 'zod';
import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import { type NamedSecret, type PartKind, partKinds, type UsedPart } from '@/lib/base/uses';
import type { Store } from './database';
import { idsOf } from './scope';

/** The version of stored parts. Raise it when the parts of unchanged files change. */
const format = 2;
/** So many sets of files are looked at for one question, those of the project itself first, then the newest. */
const mostTrees = 500;

/** A set of files that is a draft or has a label now. */
export interface NamedTree {
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly treeHash: TreeHash;
  /** `main draft`, `live (revision 3)`. */
  readonly places: readonly string[];
  /** Runs of exactly these files in the last 30 days. */
  readonly runs: number;
}

/** Lists the drafts and labelled revisions of projects, those of `own` first. Equal files of a project are one. */
export async function findNamedTrees(
  store: Store,
  own: ProjectId | null,
  scope: ProjectScope,
): Promise<readonly NamedTree[]> {
  const { rows } = await store.pool.query<NamedTree>(
    `WITH named AS (
       SELECT "projectId", "treeHash", CASE name WHEN 'main' THEN 'main draft' ELSE 'draft ' || name END AS place, 1 AS rank FROM "Draft"
       UNION ALL
       SELECT l."projectId", r."treeHash", l.label || ' (revision ' || r.number || ')', 0
       FROM (SELECT DISTINCT ON ("projectId", label) "projectId", label, "revisionId" FROM "Release"
             ORDER BY "projectId", label, number DESC) l
       JOIN "Revision" r ON r.id = l."revisionId"
     )
     SELECT n."projectId", p.name AS "projectName", n."treeHash", array_agg(n.place ORDER BY n.rank, n.place) AS places,
       (SELECT count(*)::int FROM "Run" r WHERE r."projectId" = n."projectId" AND r."treeHash" = n."treeHash" AND r.fixture IS NULL
          AND r."createdAt" > now() - interval '30 days') AS runs
     FROM named n JOIN "Project" p ON p.id = n."projectId"
     WHERE $2::text[] IS NULL OR n."projectId" = ANY($2)
     GROUP BY n."projectId", p.name, p."updatedAt", n."treeHash"
     ORDER BY n."projectId" IS NOT DISTINCT FROM $1 DESC, p."updatedAt" DESC, n."projectId", min(n.rank), places LIMIT ${mostTrees}`,
    [own, idsOf(scope)],
  );
  return rows;
}

/** A set of files that runs of the last 30 days had. */
export type RunTree = Pick<NamedTree, 'treeHash' | 'runs'>;

/** So many sets of files that ran are looked at, the newest first. */
const mostRunTrees = 100;

/** Lists the sets of files that a project ran, whether or not anything names them now. Tests are not counted. */
export async function findRunTrees(store: Store, projectId: ProjectId): Promise<readonly RunTree[]> {
  const { rows } = await store.pool.query<RunTree>(
    `SELECT "treeHash", count(*)::int AS runs FROM "Run"
     WHERE "projectId" = $1 AND fixture IS NULL AND "createdAt" > now() - interval '30 days'
     GROUP BY "treeHash" ORDER BY max("createdAt") DESC LIMIT ${mostRunTrees}`,
    [projectId],
  );
  return rows;
}

const storedPart: z.ZodType<UsedPart> = z.object({
  kind: z.enum(partKinds),
  name: z.string(),
  hash: z.string(),
  agents: z.array(z.string()),
  tests: z.array(z.string()),
});

/** Returns the part of each tree with this name, and for trees of others with this content. A tree that was not read has no entry. */
export async function findParts(
  store: Store,
  trees: readonly TreeHash[],
  { kind, name, hash }: { readonly kind: PartKind; readonly name: string; readonly hash: string },
): Promise<ReadonlyMap<TreeHash, readonly UsedPart[]>> {
  const { rows } = await store.pool.query<{ treeHash: string; found: unknown }>(
    `SELECT "treeHash", (SELECT COALESCE(jsonb_agg(part), '[]') FROM jsonb_array_elements(parts) part
        WHERE part->>'kind' = $2 AND (part->>'name' = $3 OR ($4 <> '' AND part->>'hash' = $4))) AS found
     FROM "TreeParts" WHERE "treeHash" = ANY($1) AND format = ${format}`,
    [trees, kind, name, hash],
  );
  return new Map(rows.map((row) => [brandAs<TreeHash>(row.treeHash), z.array(storedPart).parse(row.found)]));
}

const storedSecret: z.ZodType<NamedSecret> = z.object({
  kind: z.literal('secret'),
  name: z.string(),
  by: z.array(z.object({ kind: z.enum(['server', 'provider', 'agent', 'mirror']), name: z.string() })),
});

/** Returns what names these secrets in each tree. A tree that names none of them, or was not read, has no entry. */
export async function findNamedSecrets(
  store: Store,
  trees: readonly TreeHash[],
  names: readonly string[],
): Promise<ReadonlyMap<TreeHash, readonly NamedSecret[]>> {
  const { rows } = await store.pool.query<{ treeHash: string; found: unknown }>(
    `SELECT "treeHash", jsonb_agg(part) AS found FROM "TreeParts", jsonb_array_elements(parts) part
     WHERE "treeHash" = ANY($1) AND format = ${format} AND part->>'kind' = 'secret' AND part->>'name' = ANY($2)
     GROUP BY "treeHash"`,
    [trees, names],
  );
  return new Map(rows.map((row) => [brandAs<TreeHash>(row.treeHash), z.array(storedSecret).parse(row.found)]));
}

/** Stores what a tree uses and names. Does nothing if the tree has been removed meanwhile. */
export async function storeParts(
  store: Store,
  treeHash: TreeHash,
  parts: readonly (UsedPart | NamedSecret)[],
): Promise<void> {
  await store.pool.query(
    `INSERT INTO "TreeParts" ("treeHash", format, parts) SELECT hash, ${format}, $2 FROM "Tree" WHERE hash = $1
     ON CONFLICT ("treeHash") DO UPDATE SET format = excluded.format, parts = excluded.parts`,
    [treeHash, JSON.stringify(parts)],
  );
}

/** Counts the remembered approvals of a project that are about a part. */
export async function countGrants(
  store: Store,
  projectId: ProjectId,
  { kind, name }: { readonly kind: PartKind; readonly name: string },
): Promise<number> {
  if (kind === 'hook' || kind === 'skill') return 0;
  const column = { server: '"serverName"', agent: 'agent', tool: 'tool' }[kind];
  const value = kind === 'tool' ? name.slice(name.lastIndexOf(':') + 1) : name;
  const { rows } = await store.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Grant" WHERE "projectId" = $1 AND (${column} = $2 OR ($3 AND tool = $4))
       AND ("expiresAt" IS NULL OR "expiresAt" > now())`,
    [projectId, value, kind === 'agent', `agent__${name}`],
  );
  return rows[0]?.count ?? 0;
}
