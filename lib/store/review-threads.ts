import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { mentionsIn } from '@/lib/base/mentions';
import { type ReviewAnchor, reviewAnchor } from '@/lib/graph/review/anchor';
import { appendAuditIn } from './audit';
import type { Store } from './database';
import { lockProject } from './draft-lock';
import { fromJsonText, toJsonText } from './json-text';
import { noThread } from './not-found';
import { findReview, nameOf } from './reviews';
import type { Db } from './trees';
import { writing } from './writing';

export interface ReviewComment {
  readonly id: string;
  readonly author: string;
  readonly authorName: string;
  readonly body: string;
  readonly mentions: readonly string[];
  /** New text for the lines of the thread. Empty text removes them. */
  readonly suggestion: string | null;
  readonly appliedBy: string | null;
  readonly appliedAt: Date | null;
  readonly at: Date;
  readonly editedAt: Date | null;
  /** Since then its text, its mentions and its suggestion are gone. */
  readonly deletedAt: Date | null;
}

export interface ReviewThread {
  readonly id: string;
  /** What it was about when it began, and in which version of the review. */
  readonly anchor: ReviewAnchor;
  readonly version: number;
  /** The text of that. */
  readonly excerpt: string;
  /** Where that is now, or where it was last. */
  readonly place: ReviewAnchor;
  /** The version that changed it. */
  readonly outdatedIn: number | null;
  readonly state: 'open' | 'resolved';
  readonly resolvedBy: string | null;
  readonly createdAt: Date;
  readonly comments: readonly ReviewComment[];
}

/** A review has at most this many threads, and a thread this many comments. */
const mostThreads = 2_000;
const mostComments = 500;

/** Lists the threads of a review, oldest first. */
export async function findThreads(db: Db, reviewId: string): Promise<readonly ReviewThread[]> {
  const rows = await db.reviewThread.findMany({
    where: { reviewId },
    include: { comments: { orderBy: [{ at: 'asc' }, { id: 'asc' }] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ reviewId: _, anchor, place, excerpt, state, comments, ...row }) => ({
    ...row,
    anchor: reviewAnchor.parse(anchor),
    place: reviewAnchor.parse(place),
    excerpt: fromJsonText(excerpt),
    state: state === 'resolved' ? 'resolved' : 'open',
    comments: comments.map(({ threadId: _thread, suggestion, ...comment }) => ({
      ...comment,
      suggestion: suggestion === null ? null : fromJsonText(suggestion),
    })),
  }));
}

/** Finds a thread of a review. Throws AppError `not_found`. */
export async function findThread(db: Db, projectId: ProjectId, number: number, id: string): Promise<ReviewThread> {
  const review = await findReview(db, projectId, number);
  const thread = (await findThreads(db, review.id)).find((each) => each.id === id);
  if (thread === undefined) throw noThread();
  return thread;
}

export interface NewComment {
  readonly body: string;
  readonly suggestion?: string | undefined;
}

/**
 * Begins a thread in the newest version of a review. Throws AppError `conflict` if that is not the version in which the caller read
 * `excerpt`.
 */
export async function insertThread(
  store: Store,
  projectId: ProjectId,
  number: number,
  thread: NewComment & { readonly headId: string; readonly anchor: ReviewAnchor; readonly excerpt: string },
  actor: Actor,
): Promise<string> {
  return await store.prisma.$transaction(async (db) => {
    await lockProject(db, projectId);
    const review = await findReview(db, projectId, number);
    if (review.head.id !== thread.headId) {
      throw new AppError('conflict', `The review has version ${review.version} by now. Look at it, then comment.`);
    }
    if ((await db.reviewThread.count({ where: { reviewId: review.id } })) >= mostThreads) {
      throw new AppError('too_many', `A review has at most ${mostThreads} threads of comments.`);
    }
    const { anchor, excerpt } = thread;
    const id = randomUUID();
    await db.reviewThread.create({
      data: {
        id,
        reviewId: review.id,
        anchor,
        place: anchor,
        version: review.version,
        excerpt: toJsonText(excerpt),
        comments: { create: commentRow(thread, actor) },
      },
    });
    return id;
  }, writing);
}

function commentRow({ body, suggestion }: NewComment, actor: Actor) {
  return {
    id: randomUUID(),
    author: actor.by,
    authorName: nameOf(actor),
    body,
    mentions: [...mentionsIn(body)],
    suggestion: suggestion === undefined ? null : toJsonText(suggestion),
  };
}

export async function insertComment(
  store: Store,
  projectId: ProjectId,
  at: { readonly review: number; readonly thread: string },
  comment: NewComment,
  actor: Actor,
): Promise<string> {
  return await store.prisma.$transaction(async (db) => {
    await lockProject(db, projectId);
    const { id, comments, anchor } = await findThread(db, projectId, at.review, at.thread);
    if (comments.length >= mostComments) {
      throw new AppError('too_many', `A thread has at most ${mostComments} comments. Begin another one.`);
    }
    if (comment.suggestion !== undefined) checkTakesSuggestion(anchor);
    const row = commentRow(comment, actor);
    await db.reviewComment.create({ data: { ...row, threadId: id } });
    return row.id;
  }, writing);
}

/** Throws AppError `bad_request` for what has no lines. */
export function checkTakesSuggestion({ kind }: ReviewAnchor): void {
  if (kind === 'line') return;
  throw new AppError('bad_request', 'Only lines of a file take a suggestion. Comment on the lines it would change.');
}

/** Changes the text of a person's own comment. Throws AppError `not_allowed` for that of another one, and `conflict` if it was deleted. */
export async function updateComment(
  store: Store,
  projectId: ProjectId,
  at: CommentPlace,
  body: string,
  actor: Actor,
): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    await lockProject(db, projectId);
    const comment = ownComment(await findThread(db, projectId, at.review, at.thread), at.comment, actor);
    if (comment.deletedAt !== null) throw new AppError('conflict', 'The comment was deleted. Write a new one.');
    const data = { body, mentions: [...mentionsIn(body)], editedAt: new Date(), told: false };
    if (comment.body !== body) await db.reviewComment.update({ where: { id: comment.id }, data });
  }, writing);
}

/** Removes the text of a person's own comment, which keeps its place. A second time changes nothing. Throws AppError `not_allowed`. */
export async function deleteComment(store: Store, projectId: ProjectId, at: CommentPlace, actor: Actor): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    await lockProject(db, projectId);
    const { id, deletedAt } = ownComment(await findThread(db, projectId, at.review, at.thread), at.comment, actor);
    if (deletedAt !== null) return;
    const data = { body: '', mentions: [], suggestion: null, deletedAt: new Date() };
    await db.reviewComment.update({ where: { id }, data });
  }, writing);
}

function ownComment(thread: ReviewThread, id: string, actor: Actor): ReviewComment {
  const comment = commentIn(thread, id);
  if (comment.author !== actor.by) throw new AppError('not_allowed', 'Only its author changes a comment.');
  return comment;
}

export interface CommentPlace {
  readonly review: number;
  readonly thread: string;
  readonly comment: string;
}

/** Finds a comment of a thread. Throws AppError `not_found`. */
export function commentIn({ comments }: ReviewThread, id: string): ReviewComment {
  const comment = comments.find((each) => each.id === id);
  if (comment === undefined) throw noThread();
  return comment;
}

export async function setThreadState(
  store: Store,
  projectId: ProjectId,
  at: { readonly review: number; readonly thread: string },
  state: ReviewThread['state'],
  actor: Actor,
): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    await lockProject(db, projectId);
    const { id } = await findThread(db, projectId, at.review, at.thread);
    const resolvedBy = state === 'resolved' ? actor.by : null;
    await db.reviewThread.update({ where: { id }, data: { state, resolvedBy } });
  }, writing);
}

/** Records that a suggestion is in the draft now. */
export async function markApplied(
  store: Store,
  projectId: ProjectId,
  { review, comment }: CommentPlace,
  actor: Actor,
): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    await db.reviewComment.update({ where: { id: comment }, data: { appliedBy: actor.by, appliedAt: new Date() } });
    const body = { review };
    await appendAuditIn(db, {
      actor,
      action: 'review.suggestion_applied',
      object: projectId,
      project: projectId,
      body,
    });
  }, writing);
}
