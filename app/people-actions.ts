'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { answerBody } from '@/app/api/pending-bodies';
import { pendingId } from '@/app/api/pending-id';
import { answerPending, revokeGrant } from '@/lib/server/pending';

const who = { by: 'local', via: 'web' } as const;

/** Answers a question, and returns it as it is then. `conflict` means that somebody was first; the message says who. */
export const answer = action(answerBody.extend({ item: z.string() }), async ({ item, ...input }) => {
  return await answerPending(pendingId({ item }), input, who);
});

/** Forgets a remembered approval. */
export const revoke = action(z.strictObject({ grant: z.string() }), async ({ grant }, actor) => {
  await revokeGrant(actor, grant);
});
