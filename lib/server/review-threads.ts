import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { anchorWords, type ReviewAnchor } from '@/lib/graph/review/anchor';
import { replaceLines } from '@/lib/graph/review/follow-lines';
import { findProject, saveDraft } from '@/lib/store/projects';
import {
  type CommentPlace,
  checkTakesSuggestion,
  commentIn,
  deleteComment,
  findThread,
  insertComment,
  insertThread,
  markApplied,
  type ReviewThread,
  setThreadState,
  updateComment,
} from '@/lib/store/review-threads';
import { checkOpen, findReview } from '@/lib/store/reviews';
import { readTree } from '@/lib/store/trees';
import { folderLimits } from './folders/folder-limits';
import { checkedChanges } from './projects';
import { webReader } from './reading/web-reader';
import { checkReviewText } from './review-text';
import { withRoom } from './run-limits';
import { withStoreOnce } from './services';
import { summaryKeeper } from './summaries';

export interface CommentText {
  readonly body: string;
  /** New text for the lines of the thread. Empty text removes them. */
  readonly suggestion?: string | undefined;
}

/**
 * Begins a thread about a part of the newest version of a review. Returns its id. Throws AppError `bad_request` if the version does not
 * have the part, `conflict` and `not_found`.
 */
export async function comment(
  actor: Actor,
  projectId: ProjectId,
  number: number,
  about: CommentText & { readonly anchor: ReviewAnchor },
): Promise<{ readonly thread: string }> {
  const text = checkComment(about);
  const { anchor } = about;
  if (text.suggestion !== undefined) checkTakesSuggestion(anchor);
  return await withStoreOnce(actor, 'review.write', { project: projectId }, async ({ store }) => {
    const { head } = await findReview(store.prisma, projectId, number);
    const folder = await readTree(store.prisma, head.treeHash);
    const found = await webReader().anchored({ folder, anchor });
    if (!found.ok) throw new AppError('too_large', found.error.message);
    if (found.value === null) {
      throw new AppError('bad_request', `Revision ${head.number} does not have ${anchorWords(anchor)}.`);
    }
    const excerpt = found.value.slice(0, mostExcerpt);
    const thread = await insertThread(store, projectId, number, { ...text, headId: head.id, anchor, excerpt }, actor);
    return { thread };
  });
}

const mostExcerpt = 20_000;
const mostSuggestion = 100_000;

/** Answers in a thread. Returns the id of the comment. Throws AppError `not_found`, like the functions below. */
export async function reply(
  actor: Actor,
  projectId: ProjectId,
  at: { readonly review: number; readonly thread: string },
  said: CommentText,
): Promise<{ readonly comment: string }> {
  const text = checkComment(said);
  return await withStoreOnce(actor, 'review.write', { project: projectId }, async ({ store }) => ({
    comment: await insertComment(store, projectId, at, text, actor),
  }));
}

/** Changes the text of a person's own comment. Throws AppError `not_allowed`. */
export async function editComment(actor: Actor, projectId: ProjectId, at: CommentPlace, body: string): Promise<void> {
  const text = checkComment({ body });
  await withStoreOnce(actor, 'review.write', { project: projectId }, ({ store }) =>
    updateComment(store, projectId, at, text.body, actor),
  );
}

/** Deletes a person's own comment. Its place in the thread stays. Throws AppError `not_allowed`. */
export async function removeComment(actor: Actor, projectId: ProjectId, at: CommentPlace): Promise<void> {
  await withStoreOnce(actor, 'review.write', { project: projectId }, ({ store }) =>
    deleteComment(store, projectId, at, actor),
  );
}

/** Resolves a thread, or opens it again. */
export async function setThread(
  actor: Actor,
  projectId: ProjectId,
  at: { readonly review: number; readonly thread: string },
  state: ReviewThread['state'],
): Promise<void> {
  await withStoreOnce(actor, 'review.write', { project: projectId }, ({ store }) =>
    setThreadState(store, projectId, at, state, actor),
  );
}

/**
 * Puts a suggestion into the draft of a review. Returns the new version of the draft. Throws AppError `conflict` if its lines were changed
 * since, in the review or in the draft.
 */
export async function applySuggestion(
  actor: Actor,
  projectId: ProjectId,
  at: CommentPlace,
): Promise<{ readonly version: number }> {
  const version = await withRoom(actor, 'project.edit', projectId, async ({ store }) => {
    const review = await findReview(store.prisma, projectId, at.review);
    const thread = await findThread(store.prisma, projectId, at.review, at.thread);
    const { suggestion, appliedAt } = commentIn(thread, at.comment);
    if (suggestion === null) throw new AppError('bad_request', 'The comment suggests no text.');
    checkOpen(review);
    if (appliedAt !== null) throw new AppError('conflict', 'The suggestion was applied already.');
    if (thread.outdatedIn !== null || thread.place.kind !== 'line') throw changedLines();
    const draft = await findProject(store, projectId, review.draft);
    const [before, folder] = await Promise.all([
      readTree(store.prisma, review.head.treeHash),
      readTree(store.prisma, draft.treeHash),
    ]);
    const found = await webReader().follow({ before, folder, anchors: [thread.place] });
    const place = found.ok ? found.value[0] : undefined;
    if (place?.kind !== 'line') throw changedLines();
    const file = folder.get(place.file);
    if (file?.kind !== 'text') throw changedLines();
    const changes = checkedChanges([{ path: place.file, text: replaceLines(file.text, place, suggestion) }]);
    const save = { draft: review.draft, baseVersion: draft.version, changes, limits: folderLimits, by: actor.by };
    const saved = await saveDraft(store, projectId, save);
    await markApplied(store, projectId, at, actor);
    return saved;
  });
  summaryKeeper().wantWhenQuiet(projectId);
  return { version };
}

function changedLines(): AppError {
  return new AppError('conflict', 'The lines of the suggestion were changed since. Put it in by hand.');
}

function checkComment({ body, suggestion }: CommentText): CommentText {
  const text = checkReviewText(body, 'body');
  if (text === '' && suggestion === undefined) throw new AppError('bad_request', 'Write a comment.');
  if (suggestion === undefined) return { body: text };
  if (suggestion.length > mostSuggestion) throw new AppError('too_large', 'The suggestion is too long.');
  if (/[\0\p{Surrogate}]/u.test(suggestion)) {
    throw new AppError('bad_request', 'The suggestion holds characters that are no text.');
  }
  return { body: text, suggestion };
}
