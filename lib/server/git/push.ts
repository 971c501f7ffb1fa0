import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { draftNameFault } from '@/lib/base/release-names';
import { type GitHash, type GitObject, noObject, readCommit } from '@/lib/interop/git/git-object';
import {
  type PushRequest,
  pushAnswer,
  type RefChange,
  type RefResult,
  readPushRequest,
} from '@/lib/interop/git/push-request';
import { mainRef } from '@/lib/interop/git/refs';
import { deleteDraft } from '@/lib/server/drafts';
import { webReader } from '@/lib/server/reading/web-reader';
import { withRoom } from '@/lib/server/run-limits';
import { withStore } from '@/lib/server/services';
import { snapshotOf } from '@/lib/server/snapshots';
import { summaryKeeper } from '@/lib/server/summaries';
import type { Store } from '@/lib/store/database';
import { readCommitBodies, readHistory } from '@/lib/store/git/history';
import { moveDraft } from '@/lib/store/git/move-draft';
import { findProject } from '@/lib/store/projects';
import type { Revision } from '@/lib/store/revisions';
import { type PushOptions, readPushOptions, reviewPushed } from './push-options';
import { storePushed } from './pushed-commits';

const draftRefs = 'refs/heads/draft/';

/**
 * Answers a push. Drafts are made, moved and deleted; every other ref is refused with a sentence. Nothing of what is pushed is run.
 * Each branch is decided on by itself. `addressOf` makes the address of a page of the project. Throws AppError `not_found`, `not_allowed`, and
 * `bad_request` for a request that is not of git.
 */
export async function receivePush(
  actor: Actor,
  project: ProjectId,
  body: Uint8Array,
  addressOf: (page: string) => string,
): Promise<Uint8Array> {
  // The right comes first, so that nothing of a stranger is read.
  await withStore(actor, 'project.edit', { project }, (store) => findProject(store, project));
  const push = readPushRequest(body);
  // Before it sends a large pack, git asks whether it may, with an empty list.
  if (push.changes.length === 0) return new Uint8Array();
  const options = readPushOptions(push.options);
  if ('fault' in options) {
    const results = push.changes.map(({ name }) => ({ name, refused: options.fault }));
    return pushAnswer(push, results);
  }
  const unpacked = await unpack(push);
  if ('fault' in unpacked) {
    const results = push.changes.map(({ name }) => ({ name, refused: 'the pack was refused' }));
    return pushAnswer(push, results, { fault: unpacked.fault });
  }
  const results: RefResult[] = [];
  const messages: string[] = [];
  for (const change of push.changes) {
    const { refused, message } = await applied(actor, project, change, { pack: unpacked.objects, options, addressOf });
    results.push({ name: change.name, refused });
    if (message !== undefined) messages.push(message);
  }
  summaryKeeper().want(project);
  return pushAnswer(push, results, { message: messages.length === 0 ? undefined : `\n${messages.join('\n')}\n\n` });
}

type Unpacked = { readonly objects: ReadonlyMap<GitHash, GitObject> } | { readonly fault: string };

async function unpack({ pack, changes }: PushRequest): Promise<Unpacked> {
  if (changes.every(({ after }) => after === noObject)) return { objects: new Map() };
  try {
    return { objects: await webReader().unpack(pack) };
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') return { fault: error.message };
    throw error;
  }
}

interface Push {
  readonly pack: ReadonlyMap<GitHash, GitObject>;
  readonly options: PushOptions;
  readonly addressOf: (page: string) => string;
}

interface Applied {
  readonly refused?: string;
  /** What the person is told. */
  readonly message?: string;
}

async function applied(
  actor: Actor,
  project: ProjectId,
  change: RefChange,
  { pack, options, addressOf }: Push,
): Promise<Applied> {
  const fault = refFault(change.name);
  if (fault !== undefined) return { refused: fault };
  const draft = change.name.slice(draftRefs.length);
  try {
    if (change.after === noObject) return await removed(actor, project, draft, change.before);
    const revision = await withRoom(actor, 'project.edit', project, ({ store }) =>
      pushDraft(store, actor, project, { draft, change, pack }),
    );
    const pushed = { project, draft, revision, message: revision.message };
    const next = await reviewPushed(actor, pushed, options, addressOf);
    return { message: `Draft '${draft}' is revision ${revision.number}. ${next}` };
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') return { refused: error.message };
    throw error;
  }
}

/** Says why a ref cannot be pushed. The words come after the name of the ref, in brackets. */
function refFault(name: string): string | undefined {
  if (name === mainRef) {
    return 'what is live changes by publishing: push to refs/heads/draft/… and open a review';
  }
  if (name.startsWith('refs/heads/label/')) return 'labels are moved in Callboard: promote a revision there';
  if (name.startsWith('refs/tags/')) return 'tags are the revisions, which Callboard numbers: push a draft';
  if (!name.startsWith(draftRefs)) return 'only drafts can be pushed: push to refs/heads/draft/…';
  return draftNameFault(name.slice(draftRefs.length));
}

async function removed(actor: Actor, project: ProjectId, draft: string, before: GitHash): Promise<Applied> {
  await withStore(actor, 'project.edit', { project }, async (store) => {
    const { refs } = await readHistory(store, project);
    const now = refs.find(({ name }) => name === `${draftRefs}${draft}`)?.hash;
    if (now !== before) throw new AppError('conflict', `the draft '${draft}' has moved on. Fetch first`);
  });
  const kept = await deleteDraft(actor, project, draft);
  const saved = kept === undefined ? '' : ` What no revision had is kept as revision ${kept.number}.`;
  return { message: `Draft '${draft}' is deleted.${saved}` };
}

async function pushDraft(
  store: Store,
  actor: Actor,
  project: ProjectId,
  { draft, change, pack }: { draft: string; change: RefChange; pack: ReadonlyMap<GitHash, GitObject> },
): Promise<Revision> {
  const history = await readHistory(store, project);
  const { before, after } = change;
  await storePushed(store, project, { history, pack, tip: after });
  const commit = (await readHistory(store, project)).commits.get(after);
  const body = (await readCommitBodies(store.prisma, project, [after])).get(after);
  if (commit === undefined || body === undefined) throw new Error(`Bug: commit ${after} was not stored`);
  const snapshot = await snapshotOf(store, project, commit.treeHash);
  const message = messageOf(readCommit(body).message);
  const from = before === noObject ? undefined : before;
  return await moveDraft(store, project, { draft, before: from, after, snapshot, message }, actor);
}

const mostMessage = 10_000;

/** The message of a commit is of a stranger: it is cut, and what is no text is left out. */
function messageOf(text: string): string {
  return text
    .replace(/[\0\p{Surrogate}]/gu, '')
    .slice(0, mostMessage)
    .replace(/\p{Surrogate}$/u, '')
    .trim();
}
