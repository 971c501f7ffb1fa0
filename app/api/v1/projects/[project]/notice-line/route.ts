import { noticeLineBody } from '@/app/api/notice-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { readLine, setLine } from '@/lib/server/person-notices';

export const GET = respond<ProjectParams>(async (_request, params, actor) => {
  const { usd, seconds } = await readLine(actor, projectId(params));
  return { usd: usd ?? null, seconds: seconds ?? null };
});

/** Sets the cost and the time above which people are told of a run. */
export const PUT = respond<ProjectParams>(async (request, params, actor) => {
  const { usd, seconds } = await readJson(request, noticeLineBody);
  await setLine(actor, projectId(params), { usd: usd ?? undefined, seconds: seconds ?? undefined });
  return new Response(null, { status: 204 });
});
