'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import {
  commentBody,
  commentTextBody,
  openReviewBody,
  threadBody,
  threadStateBody,
  verdictBody,
} from '@/app/api/review-bodies';
import { reviewPolicy } from '@/lib/base/review-policy';
import { applySuggestion, comment, editComment, removeComment, reply, setThread } from '@/lib/server/review-threads';
import { addVersion, giveVerdict, openReview, setReviewPolicy, withdrawReview } from '@/lib/server/reviews';

const inProject = z.strictObject({ project: z.string() });
const inReview = inProject.extend({ review: z.int().min(1).max(2_147_483_647) });
const inThread = inReview.extend({ thread: z.string().max(64) });
const atComment = inThread.extend({ comment: z.string().max(64) });

/** Opens a review of a draft. */
export const open = action(
  inProject.extend({ request: openReviewBody }),
  async ({ project, request }, actor) => await openReview(actor, projectId({ project }), request),
);

/** Adds what the draft has now. */
export const addNewVersion = action(
  inReview,
  async ({ project, review }, actor) => await addVersion(actor, projectId({ project }), review, ''),
);

export const decide = action(inReview.extend({ request: verdictBody }), async ({ project, review, request }, actor) => {
  await giveVerdict(actor, projectId({ project }), review, request);
});

export const withdraw = action(inReview, async ({ project, review }, actor) => {
  await withdrawReview(actor, projectId({ project }), review);
});

/** Begins a thread of comments. */
export const begin = action(
  inReview.extend({ request: threadBody }),
  async ({ project, review, request }, actor) => await comment(actor, projectId({ project }), review, request),
);

export const answer = action(inThread.extend({ request: commentBody }), async (input, actor) => {
  return await reply(actor, projectId(input), { review: input.review, thread: input.thread }, input.request);
});

/** Resolves a thread, or opens it again. */
export const setState = action(inThread.extend(threadStateBody.shape), async (input, actor) => {
  await setThread(actor, projectId(input), { review: input.review, thread: input.thread }, input.state);
});

/** Puts a suggestion into the draft. */
export const applyText = action(atComment, async (input, actor) => {
  const { review, thread, comment: id } = input;
  return await applySuggestion(actor, projectId(input), { review, thread, comment: id });
});

/** Changes the text of a person's own comment. */
export const changeText = action(atComment.extend({ request: commentTextBody }), async (input, actor) => {
  const { review, thread, comment: id, request } = input;
  await editComment(actor, projectId(input), { review, thread, comment: id }, request.body);
});

/** Deletes a person's own comment. */
export const remove = action(atComment, async (input, actor) => {
  const { review, thread, comment: id } = input;
  await removeComment(actor, projectId(input), { review, thread, comment: id });
});

/** Sets what the project asks before a revision goes live. */
export const ask = action(inProject.extend({ policy: reviewPolicy }), async ({ project, policy }, actor) => {
  await setReviewPolicy(actor, projectId({ project }), policy);
});
