'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { answerBody } from '@/app/api/pending-bodies';
import { pendingId } from '@/app/api/pending-id';
import { answerAllPending, answerPending, revokeGrant } from '@/lib/server/pending';

/** Answers a question, and returns it as it is then. `conflict` means that somebody was first; the message says who. */
export const answer = action(answerBody.extend({ item: z.string() }), async ({ item, ...input }, actor) => {
  return await answerPending(actor, pendingId({ item }), input);
});

const answers = answerBody.pick({ decision: true, note: true }).extend({ items: z.array(z.string()).min(1).max(200) });

/** Answers several questions in the same way. Each has a result of its own. */
export const answerAll = action(answers, async ({ items, ...input }, actor) => {
  const given = items.map((item) => ({ id: pendingId({ item }), answer: input }));
  return await answerAllPending(actor, given);
});

/** Forgets a remembered approval. */
export const revoke = action(z.strictObject({ grant: z.string() }), async ({ grant }, actor) => {
  await revokeGrant(actor, grant);
});
