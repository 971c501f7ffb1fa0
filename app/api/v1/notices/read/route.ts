import { readNoticesBody } from '@/app/api/notice-bodies';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { markAsRead, readUnread } from '@/lib/server/person-notices';

/** Marks what the person was told as read. Answers how much is left. */
export const POST = respond(async (request, _params, actor) => {
  const { ids } = await readJson(request, readNoticesBody);
  await markAsRead(actor, ids);
  return { unread: await readUnread(actor) };
});
