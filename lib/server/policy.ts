import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { decide } from '@/lib/base/rights';
import type { PolicyBreach, PolicyRuleBody } from '@/lib/cards/policy/rule';
import type { Store } from '@/lib/store/database';
import { readListings } from '@/lib/store/known-servers';
import { putRule, readPolicy, removeRule, type StoredRule } from '@/lib/store/policy';
import { findProject } from '@/lib/store/projects';
import { readTree } from '@/lib/store/trees';
import { placeIn } from './authorize';
import { webReader } from './reading/web-reader';
import { withStore, withStoreOnce } from './services';

/** The rules of a place, and whether the reader may change them. */
export interface Policy {
  readonly rules: readonly StoredRule[];
  /** What breaks them in the draft of the project. None for the installation. */
  readonly breaches: readonly PolicyBreach[];
  readonly mayChange: boolean;
}

/**
 * Returns the rules that a project must meet, with what breaks them in its draft; with null the rules of every project. Throws AppError
 * `not_found`, and `too_large` for a folder that cannot be read in time.
 */
export async function readPolicyOf(actor: Actor, project: ProjectId | null): Promise<Policy> {
  const action = project === null ? 'installation.use' : 'project.read';
  return await withStore(actor, action, placeIn(project), async (store) => {
    const rules = await readPolicy(store, project);
    const mayChange = decide(actor.reach, 'policy.set', project) === 'allowed';
    if (project === null) return { rules, breaches: [], mayChange };
    const { treeHash } = await findProject(store, project);
    return { rules, breaches: await breachesOfTree(store, project, treeHash, rules), mayChange };
  });
}

/** Sets a rule in place of one with its name. Runs that begin or go on later meet it. Throws AppError `not_found`. */
export async function setRule(actor: Actor, project: ProjectId | null, rule: PolicyRuleBody): Promise<void> {
  await withStoreOnce(actor, 'policy.set', placeIn(project), async ({ store }) => {
    if (project !== null) await findProject(store, project);
    await putRule(store, { project, id: randomUUID() }, rule, actor);
  });
}

/** Removes a rule. Throws AppError `not_found`. */
export async function dropRule(actor: Actor, project: ProjectId | null, name: string): Promise<void> {
  const gone = await withStoreOnce(actor, 'policy.set', placeIn(project), ({ store }) =>
    removeRule(store, { project, name }, actor),
  );
  if (!gone) throw new AppError('not_found', `There is no rule '${name}' here. It may have been removed already.`);
}

/** A breach of a rule, with the place where the rule is set. */
export interface StoredBreach extends PolicyBreach {
  readonly rule: StoredRule;
}

/** Returns what in a tree breaks rules. Throws AppError `too_large` for a folder that cannot be read in time. */
export async function breachesOfTree(
  store: Store,
  project: ProjectId,
  tree: TreeHash,
  rules: readonly StoredRule[],
): Promise<readonly StoredBreach[]> {
  if (rules.length === 0) return [];
  const [folder, listings] = await Promise.all([readTree(store.prisma, tree), readListings(store, project)]);
  const found = await webReader().breaches({ folder, rules, listings });
  if (!found.ok) throw new AppError('too_large', found.error.message);
  // The reading thread knows no places.
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return found.value.flatMap((breach) => {
    const rule = byId.get(breach.rule.id);
    return rule === undefined ? [] : [{ ...breach, rule }];
  });
}
