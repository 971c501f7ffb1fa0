'use server';

import { action } from '@/app/action';
import { noticeChoiceBody, readNoticesBody } from '@/app/api/notice-bodies';
import { chooseNotices, markAsRead, readNoticeChoices } from '@/lib/server/person-notices';

/** Marks what the person was told as read. */
export const markNotices = action(readNoticesBody, async ({ ids }, actor) => {
  await markAsRead(actor, ids);
});

/** Chooses how the person hears of a group. Returns all choices. */
export const chooseGroup = action(noticeChoiceBody, async (input, actor) => {
  await chooseNotices(actor, input);
  return await readNoticeChoices(actor);
});
