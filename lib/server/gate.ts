import type { Actor } from '@/lib/base/actor';
import { type Check, type CheckResult, type Finding, runGate } from '@/lib/base/gate';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import { decide } from '@/lib/base/rights';
import type { Closure } from '@/lib/cards/closure';
import { fixtureNames } from '@/lib/cards/fixture-files';
import type { Command } from '@/lib/cards/trust/command';
import { unapprovedLive } from '@/lib/cards/trust/unapproved';
import { type FixtureGate, fixtureGate } from '@/lib/fixtures/fixture-gate';
import type { Store } from '@/lib/store/database';
import { fixtureResultsOn } from '@/lib/store/fixture-results';
import { readPolicy } from '@/lib/store/policy';
import { liveLabel } from '@/lib/store/releases';
import { readTree } from '@/lib/store/trees';
import { type LiveReverts, liveReverts, revertSentence } from './live-reverts';
import { breachesOfTree, type StoredBreach } from './policy';
import { checkProject } from './projects';
import { missingReview } from './review-needs';
import { accountsAreOn } from './settings/process-env';
import { capabilitiesOf, unapprovedOf } from './trust';

/** What is to be published, and where to. */
export interface GateSubject {
  readonly project: ProjectId;
  readonly label: string;
  readonly treeHash: TreeHash;
  readonly closure: Closure;
  /** The ids of the revisions that it continues, or its own. */
  readonly from: readonly (string | null)[];
  /** For a revision that is saved already: says what servers list since. */
  readonly since?: (() => Promise<readonly string[]>) | undefined;
}

/** What the checks read. It is collected once. */
export interface GateFacts extends GateSubject {
  readonly issues: readonly Issue[];
  /** What breaks rules of the team. */
  readonly breaches: readonly StoredBreach[];
  /** What went live meanwhile and would be taken back. */
  readonly reverts: LiveReverts | undefined;
  /** What it starts that no administrator has approved. `undefined` if it starts nothing, or people have no accounts. */
  readonly waiting: readonly Pick<Command, 'kind' | 'name'>[] | undefined;
  /** What the policy of reviews still asks for. `undefined` if it asks for nothing. */
  readonly missing: readonly string[] | undefined;
  /** What the tests of the files say. `undefined` if there are none. */
  readonly tests: FixtureGate | undefined;
}

/** Every check, in the order in which people read the results. */
const checks: readonly Check<GateFacts>[] = [problems, policy, commands, live, tests, review];

/** Collects the facts and runs every check. It executes nothing of the project. */
export async function gate(store: Store, actor: Actor, subject: GateSubject): Promise<readonly CheckResult[]> {
  const { project, treeHash } = subject;
  const folder = await readTree(store.prisma, treeHash);
  const names = fixtureNames(folder);
  const [{ issues }, rules, results] = await Promise.all([
    checkProject(actor, folder),
    readPolicy(store, project),
    names.length === 0 ? [] : fixtureResultsOn(store, project, treeHash),
  ]);
  const [breaches, missing, waiting, reverts] = await Promise.all([
    breachesOfTree(store, project, treeHash, rules),
    missingReview(store, subject),
    waitingIn(store, project, treeHash),
    liveReverts(store, project, subject),
  ]);
  const tests = names.length === 0 ? undefined : fixtureGate(names, treeHash, results);
  const isAdmin = decide(actor.reach, 'project.override', project) === 'allowed';
  const mayOverride = {
    publisher: decide(actor.reach, 'project.review', project) === 'allowed',
    admin: isAdmin,
    administrator: isAdmin && decide(actor.reach, 'policy.set', null) === 'allowed',
  };
  return runGate(checks, { ...subject, issues, breaches, waiting, reverts, missing, tests }, mayOverride);
}

/** Problems of severity error stop a release, because runs of such a folder fail. */
export function problems({ issues }: Pick<GateFacts, 'issues'>): Finding {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined)
    return { id: 'problems', ok: true, sentence: 'The files have no errors.', overriddenBy: 'admin' };
  const count = errors.length === 1 ? 'one error' : `${errors.length} errors`;
  const sentence = `The files have ${count}. ${first.file}:${first.line}: ${first.message}`;
  return { id: 'problems', ok: false, sentence, overriddenBy: 'admin' };
}

/**
 * Rules of the team stop a release. Whoever may set the broken rules may publish nevertheless, because that loosens nothing: a run meets
 * the rules itself.
 */
export function policy({ breaches }: Pick<GateFacts, 'breaches'>): Finding {
  const blocking = breaches.filter(({ rule }) => rule.level === 'block');
  const [first] = blocking.length > 0 ? blocking : breaches;
  const id = 'policy';
  const overriddenBy = blocking.some(({ rule }) => rule.project === null) ? 'administrator' : 'admin';
  if (first === undefined) return { id, ok: true, sentence: 'No rule of the team is broken.', overriddenBy };
  const more = breaches.length > 1 ? ` So are others: ${breaches.length} places in all.` : '';
  if (blocking.length === 0) return { id, ok: true, sentence: `A rule warns. ${first.message}${more}`, overriddenBy };
  const next =
    ' A run meets the rule itself, also if this is published nevertheless. Whoever sets the rules can change them.';
  return { id, ok: false, sentence: `${first.message}${more}${next}`, overriddenBy };
}

/** What no administrator has approved stops a release, because every run of it is refused. */
export function commands({ waiting, treeHash }: Pick<GateFacts, 'waiting' | 'treeHash'>): Finding | undefined {
  if (waiting === undefined) return undefined;
  const id = 'commands';
  if (waiting.length === 0) return { id, ok: true, sentence: 'What it starts is approved.', overriddenBy: 'admin' };
  return { id, ok: false, sentence: unapprovedLive(waiting), overriddenBy: 'admin', files: treeHash };
}

/** Nobody takes back what others published without knowing it: a reason is asked for. */
export function live({ label, reverts }: Pick<GateFacts, 'label' | 'reverts'>): Finding | undefined {
  if (label !== liveLabel || reverts === undefined) return undefined;
  return { id: 'live', ok: false, sentence: revertSentence(reverts), overriddenBy: 'publisher' };
}

async function waitingIn(store: Store, project: ProjectId, treeHash: TreeHash): Promise<GateFacts['waiting']> {
  if (!accountsAreOn() || (await capabilitiesOf(store, treeHash)).commands.length === 0) return undefined;
  return (await unapprovedOf(store, project, treeHash)).map(({ command }) => command);
}

/** Tests that have not passed on exactly these files stop what goes live. What goes to another label is for trying. */
export function tests({ label, tests: found }: Pick<GateFacts, 'label' | 'tests'>): Finding | undefined {
  if (label !== liveLabel || found === undefined) return undefined;
  const id = 'tests';
  const [first] = found.reasons;
  if (first === undefined) return { id, ok: true, sentence: 'The tests have passed.', overriddenBy: 'admin' };
  const more = found.reasons.length > 1 ? ` So it is with others: ${found.reasons.length} tests in all.` : '';
  const state = found.isRunning ? 'running' : found.isNotRun ? 'not run' : undefined;
  const next = state === 'running' ? ' Wait for it.' : state === 'not run' ? ' Run the tests first.' : ' Correct it.';
  const sentence = `${first}${more}${next}`;
  return { id, ok: false, sentence, overriddenBy: 'admin', ...(state !== undefined && { tests: state }) };
}

/** Approvals that the project asks for stop what goes live. What goes to another label is for trying. */
export function review({ label, missing }: Pick<GateFacts, 'label' | 'missing'>): Finding | undefined {
  if (label !== liveLabel || missing === undefined) return undefined;
  const id = 'review';
  if (missing.length === 0) return { id, ok: true, sentence: 'The approvals are there.', overriddenBy: 'admin' };
  return { id, ok: false, sentence: `${missing.join(' ')} Ask for it in a review.`, overriddenBy: 'admin' };
}
