import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { blockers, type CheckedRelease, type CheckResult, overriderWords, type WayToReview } from '@/lib/base/gate';
import type { ProjectId } from '@/lib/base/ids';
import { labelFault } from '@/lib/base/release-names';
import { rightsOfRole } from '@/lib/base/rights';
import type { Folder } from '@/lib/cards/folder';
import type { Store } from '@/lib/store/database';
import { readDraftLine } from '@/lib/store/drafts';
import { listMembers } from '@/lib/store/members';
import { findProject } from '@/lib/store/projects';
import {
  checkExpected,
  currentOf,
  findLabels,
  findReleases,
  type Label,
  liveLabel,
  type Moved,
  moveLabel,
  type Release,
  type ReleaseKind,
} from '@/lib/store/releases';
import { findOpenReview } from '@/lib/store/reviews';
import {
  findRevision,
  findRevisions,
  insertRevision,
  type moved,
  type Revision,
  readClosure,
  type SavedRevision,
  type Snapshot,
} from '@/lib/store/revisions';
import { readTree } from '@/lib/store/trees';
import { type GateSubject, gate } from './gate';
import { listedSince } from './listed-since';
import { refusedRuns } from './roll-back';
import { withStore, withStoreOnce } from './services';
import { withSnapshot } from './snapshots';

const mostMessage = 10_000;

/** A revision with the labels that name it now. */
export interface ListedRevision extends Revision {
  readonly labels: readonly string[];
}

/** Lists revisions, newest first. `before` is the number of the last one of the page before. Throws AppError `not_found`. */
export async function listRevisions(
  actor: Actor,
  projectId: ProjectId,
  page: { readonly before?: number | undefined; readonly limit: number },
): Promise<{ readonly revisions: readonly ListedRevision[]; readonly labels: readonly Label[] }> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    const [revisions, labels] = await Promise.all([
      findRevisions(store, projectId, page),
      findLabels(store, projectId),
    ]);
    return { revisions: revisions.map((revision) => withLabels(revision, labels)), labels };
  });
}

/** Reads a revision with its number. Throws AppError `not_found`, like the functions below. */
export async function getRevision(
  actor: Actor,
  projectId: ProjectId,
  number: number,
): Promise<ListedRevision & { readonly closure: Awaited<ReturnType<typeof readClosure>>['parts'] }> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    const [revision, labels, { parts }] = await Promise.all([
      findRevision(store, projectId, number),
      findLabels(store, projectId),
      readClosure(store, projectId, number),
    ]);
    return { ...withLabels(revision, labels), closure: parts };
  });
}

/** Reads the files of a revision. */
export async function readRevisionFolder(actor: Actor, projectId: ProjectId, number: number): Promise<Folder> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const { treeHash } = await findRevision(store, projectId, number);
    return await readTree(store.prisma, treeHash);
  });
}

/** Lists what labels named when, and who moved them, newest first. */
export async function listReleases(
  actor: Actor,
  projectId: ProjectId,
  page: { readonly label?: string | undefined; readonly before?: number | undefined; readonly limit: number },
): Promise<readonly Release[]> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    return await findReleases(store, projectId, page);
  });
}

/** Saves a draft as a revision. A draft that is equal to its last revision stays that one. Throws AppError `conflict`. */
export async function saveRevision(
  actor: Actor,
  projectId: ProjectId,
  save: { readonly draft: string; readonly version?: number | undefined; readonly message: string },
): Promise<SavedRevision> {
  const message = checkMessage(save.message);
  return await withStoreOnce(
    actor,
    'project.edit',
    { project: projectId },
    async ({ store }) =>
      await withSnapshot(store, projectId, save, (snapshot) =>
        insertRevision(store, projectId, { draft: save.draft, snapshot, message }, actor),
      ),
  );
}

/** What a label is moved to: a revision by its number, or a draft, which is saved as a revision. */
export type ReleaseTarget =
  | { readonly revision: number }
  | { readonly draft: string; readonly version?: number | undefined };

/** Runs the checks that a release would run. It changes nothing. */
export async function checkRelease(
  actor: Actor,
  projectId: ProjectId,
  label: string,
  target: ReleaseTarget,
): Promise<CheckedRelease> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    // Read before the checks, so that what is released meanwhile is not taken for what they saw.
    const now = await namedNow(store, projectId, label);
    if (!('draft' in target)) {
      return { checks: await gate(store, actor, await subjectOf(store, projectId, label, target.revision)), now };
    }
    const { draft } = target;
    return await withSnapshot(store, projectId, target, async (snapshot) => {
      const checks = await gate(store, actor, await draftSubject(store, projectId, label, draft, snapshot));
      const needsReview = checks.some(({ id, ok }) => id === 'review' && !ok);
      return needsReview ? { checks, now, review: await wayToReview(store, actor, projectId, draft) } : { checks, now };
    });
  });
}

async function wayToReview(store: Store, actor: Actor, project: ProjectId, draft: string): Promise<WayToReview> {
  const [open, members] = await Promise.all([findOpenReview(store, project, draft), listMembers(store, project)]);
  const others = members.filter(({ email, isDeactivated }) => !isDeactivated && email !== actor.by.toLowerCase());
  return {
    ...(open !== undefined && { open }),
    reviewers: others.flatMap(({ name, role }) => (rightsOfRole(role).includes('review') ? [name] : [])),
  };
}

export interface ReleaseRequest {
  /** `live` publishes; any other label promotes. */
  readonly label: string;
  readonly target: ReleaseTarget;
  /** Why. A draft that is saved as a revision has it as its message. */
  readonly note: string;
  /** What the label named when the person looked; null for nothing. */
  readonly expected?: number | null | undefined;
  /** The reason for which somebody who may overrides checks that failed. */
  readonly override?: string | undefined;
}

export interface Released extends Moved {
  readonly checks: readonly CheckResult[];
}

/**
 * Moves a label to a revision once the checks pass. Asked twice, it does nothing the second time. Throws AppError `conflict` when a check
 * fails, when the draft was saved meanwhile, and when the label no longer names `expected`.
 */
export async function release(actor: Actor, projectId: ProjectId, request: ReleaseRequest): Promise<Released> {
  const { target, expected } = request;
  const label = checkLabelName(request.label);
  const note = checkMessage(request.note);
  const override = request.override === undefined ? undefined : checkReason(request.override);
  const kind = label === liveLabel ? 'publish' : 'promote';
  return await withStoreOnce(actor, 'project.review', { project: projectId }, async ({ store }) => {
    const move = async (subject: GateSubject, to: MoveTarget): Promise<Released | typeof moved> => {
      // What goes live after this is in no check.
      const seen = expected === undefined && kind === 'publish' ? await namedNow(store, projectId, label) : expected;
      const checks = await gate(store, actor, subject);
      // What a person did not see comes before what the checks found: they look at it anew.
      if (blockers(checks, override !== undefined).length > 0) {
        checkExpected({ label, expected }, (await namedNow(store, projectId, label)) ?? undefined);
      }
      checkGate(checks, override);
      const overrode = checks.flatMap(({ id, ok }) => (ok ? [] : [id]));
      const reason = overrode.length > 0 && override !== undefined ? override : note;
      const done = await moveLabel(store, projectId, { label, kind, to, reason, expected: seen, overrode }, actor);
      return typeof done === 'symbol' ? done : { ...done, checks };
    };
    if ('draft' in target) {
      return await withSnapshot(store, projectId, target, async (snapshot) => {
        const subject = await draftSubject(store, projectId, label, target.draft, snapshot);
        return await move(subject, { draft: target.draft, snapshot, message: note });
      });
    }
    return settled(await move(await subjectOf(store, projectId, label, target.revision), target));
  });
}

async function namedNow(store: Store, projectId: ProjectId, label: string): Promise<number | null> {
  return (await currentOf(store.prisma, projectId, label))?.revision ?? null;
}

type MoveTarget =
  | { readonly revision: number }
  | { readonly draft: string; readonly snapshot: Snapshot; readonly message: string };

export interface RolledBack extends Moved {
  /** Why runs of the revision are refused by now, a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Moves a label back: to the revision that it named before, or to an earlier one by its number. No check stops it, because that revision
 * was released before. Throws AppError `conflict` and `bad_request`.
 */
export async function rollBack(
  actor: Actor,
  projectId: ProjectId,
  back: {
    readonly label: string;
    readonly to?: number | undefined;
    readonly expected?: number | null | undefined;
    readonly note: string;
  },
): Promise<RolledBack> {
  const label = checkLabelName(back.label);
  const reason = checkMessage(back.note);
  const to = back.to === undefined ? 'earlier' : { revision: back.to };
  const kind: ReleaseKind = 'rollback';
  return await withStoreOnce(actor, 'project.review', { project: projectId }, async ({ store }) => {
    const move = { label, kind, to, reason, expected: back.expected, overrode: [] } as const;
    const done = settled(await moveLabel(store, projectId, move, actor));
    return { ...done, warnings: await refusedRuns(store, projectId, done.revision.treeHash) };
  });
}

async function subjectOf(store: Store, project: ProjectId, label: string, number: number) {
  const { id, treeHash } = await findRevision(store, project, number);
  const since = () => listedSince(store, project, number);
  return { project, label, treeHash, closure: await readClosure(store, project, number), from: [id], since };
}

async function draftSubject(store: Store, project: ProjectId, label: string, draft: string, snapshot: Snapshot) {
  return { project, label, ...snapshot, from: await readDraftLine(store, project, draft) };
}

function withLabels(revision: Revision, labels: readonly Label[]): ListedRevision {
  return { ...revision, labels: labels.flatMap(({ label, revision: n }) => (n === revision.number ? [label] : [])) };
}

function checkGate(checks: readonly CheckResult[], override: string | undefined): void {
  if (blockers(checks, override !== undefined).length === 0) return;
  const found = blockers(checks, false);
  const why = found.map(({ sentence }) => sentence).join(' ');
  const next = found.every(({ overridable }) => overridable)
    ? 'Correct it, or override it with a reason.'
    : `Correct it, or ask ${overriderWords(found)} to override it.`;
  const ids = found.map(({ id }) => id).join(',');
  throw new AppError('conflict', `Nothing was published. ${why} ${next}`, { checks: ids });
}

function checkLabelName(name: string): string {
  const fault = labelFault(name);
  if (fault !== undefined) throw new AppError('bad_request', `label: ${fault}`);
  return name;
}

function checkReason(text: string): string {
  const reason = checkMessage(text);
  if (reason === '') throw new AppError('bad_request', 'An override needs a reason. Say why the checks do not count.');
  return reason;
}

function checkMessage(text: string): string {
  const message = text.trim();
  if (message.length > mostMessage) {
    throw new AppError('too_large', `A note has at most ${mostMessage} characters. Shorten it.`);
  }
  if (/[\0\p{Surrogate}]/u.test(message))
    throw new AppError('bad_request', 'The note holds characters that are no text.');
  return message;
}

/** A move to a revision by its number reads no draft, so none can have moved on. */
function settled<T extends Moved>(done: T | typeof moved): T {
  if (typeof done === 'symbol') throw new Error('Bug: a revision has moved on');
  return done;
}
