import { answersBody } from '@/app/api/pending-bodies';
import { pendingId } from '@/app/api/pending-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { answerAllPending } from '@/lib/server/pending';

/** Answers many questions at once. Each answer has a result of its own. */
export const POST = respond(async (request, _params, actor) => {
  const { answers } = await readJson(request, answersBody);
  const given = answers.map(({ id, ...answer }) => ({ id: pendingId({ item: id }), answer }));
  return { results: await answerAllPending(actor, given) };
});
