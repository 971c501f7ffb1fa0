'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { personGroups } from '@/lib/base/notices';
import { chooseNotices, markAsRead, readNoticeChoices } from '@/lib/server/person-notices';

const chosen = z.strictObject({ ids: z.union([z.literal('all'), z.array(z.string().max(100)).max(500)]) });

/** Marks what the person was told as read. */
export const markNotices = action(chosen, async ({ ids }, actor) => {
  await markAsRead(actor, ids);
});

const choice = z.strictObject({ group: z.enum(personGroups), inApp: z.boolean(), mail: z.boolean() });

/** Chooses how the person hears of a group. Returns all choices. */
export const chooseGroup = action(choice, async (input, actor) => {
  await chooseNotices(actor, input);
  return await readNoticeChoices(actor);
});
