'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { answerBody, answersBody } from '@/app/api/pending-bodies';
import { pendingId } from '@/app/api/pending-id';
import { answerAllPending, answerPending, revokeGrant } from '@/lib/server/pending';

const who = { by: 'local', via: 'web' } as const;

/** Answers a question, and returns it as it is then. `conflict` means that somebody was first; the message says who. */
export const answer = action(answerBody.extend({ item: z.string() }), async ({ item, ...input }) => {
  return await answerPending(pendingId({ item }), input, who);
});

/** Answers many questions at once. Each answer has a result of its own, in the same order. */
export const answerAll = action(answersBody, async ({ answers }) => {
  const given = answers.map(({ id, ...input }) => ({ id: pendingId({ item: id }), answer: input }));
  return await answerAllPending(given, who);
});

/** Forgets a remembered approval. */
export const revoke = action(z.strictObject({ grant: z.string() }), async ({ grant }) => {
  await revokeGrant(grant);
});
