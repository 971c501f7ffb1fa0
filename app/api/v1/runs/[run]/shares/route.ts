import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { shareBody } from '@/app/api/share-bodies';
import { originOf } from '@/lib/server/accounts/request-origin';
import { listShares, makeShare } from '@/lib/server/accounts/shares';

/** Lists the links that open the run. None of them has its token. */
export const GET = respond<RunParams>(async (_request, params, actor) => ({
  links: await listShares(actor, runId(params)),
}));

/** Makes a link that shows the run: `{hours, texts}`. Its address is answered this once. */
export const POST = respond<RunParams>(async (request, params, actor) => {
  const asked = await readJson(request, shareBody);
  const { id, token, links } = await makeShare(actor, runId(params), asked);
  const { expiresAt } = links.find((link) => link.id === id) ?? {};
  return Response.json(
    { id, address: `${originOf(request)}/share/${token}`, expiresAt, texts: asked.texts },
    { status: 201 },
  );
});
