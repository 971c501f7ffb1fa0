import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { type PolicyRule, type PolicyRuleBody, policyRuleBody, ruleSentence } from '@/lib/cards/policy/rule';
import { appendAudit } from './audit';
import type { Store } from './database';
import { transaction } from './transaction';

/** A rule with its place: a project, or with null every project. */
export interface StoredRule extends PolicyRule {
  readonly project: ProjectId | null;
  readonly by: string;
  readonly at: EpochMs;
}

const stored = policyRuleBody.extend({
  id: z.string(),
  project: z
    .string()
    .transform((id) => brandAs<ProjectId>(id))
    .nullable(),
  by: z.string(),
  at: z.number().transform((at) => brandAs<EpochMs>(at)),
});

/** Returns the rules that a project must meet: those of every project, then its own. With null only the former. */
export async function readPolicy(
  store: Pick<Store, 'pool'>,
  project: ProjectId | null,
): Promise<readonly StoredRule[]> {
  const { rows } = await store.pool.query({
    name: 'policy',
    text: `SELECT id, "projectId" AS project, name, level, demand, by, (extract(epoch FROM at) * 1000)::float8 AS at
           FROM "PolicyRule" WHERE "projectId" IS NULL OR "projectId" = $1 ORDER BY "projectId" NULLS FIRST, name`,
    values: [project],
  });
  return z.array(stored).parse(rows);
}

/** Stores a rule in place of one with its name. */
export async function putRule(
  store: Store,
  place: { readonly project: ProjectId | null; readonly id: string },
  { name, level, demand }: PolicyRuleBody,
  actor: Actor,
): Promise<void> {
  await transaction(store, async (connection) => {
    await connection.query(
      `INSERT INTO "PolicyRule" (id, "projectId", name, level, demand, by) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (COALESCE("projectId", ''), name) DO UPDATE SET level = $4, demand = $5, by = $6, at = now()`,
      [place.id, place.project, name, level, JSON.stringify(demand), actor.by],
    );
    const body = { level, sentence: ruleSentence(demand) };
    await appendAudit(connection, {
      actor,
      action: 'policy.set',
      object: name,
      project: place.project ?? undefined,
      body,
    });
  });
}

/** Removes a rule. Returns false if there is none with this name. */
export async function removeRule(
  store: Store,
  { project, name }: { readonly project: ProjectId | null; readonly name: string },
  actor: Actor,
): Promise<boolean> {
  return await transaction(store, async (connection) => {
    const { rowCount } = await connection.query(
      'DELETE FROM "PolicyRule" WHERE "projectId" IS NOT DISTINCT FROM $1 AND name = $2',
      [project, name],
    );
    if (rowCount === 0) return false;
    await appendAudit(connection, { actor, action: 'policy.removed', object: name, project: project ?? undefined });
    return true;
  });
}
