import { noticeChoiceBody } from '@/app/api/notice-bodies';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { chooseNotices, readNoticeChoices } from '@/lib/server/person-notices';

export const GET = respond(async (_request, _params, actor) => await readNoticeChoices(actor));

/** Chooses how the person hears of a group. */
export const PUT = respond(async (request, _params, actor) => {
  await chooseNotices(actor, await readJson(request, noticeChoiceBody));
  return await readNoticeChoices(actor);
});
