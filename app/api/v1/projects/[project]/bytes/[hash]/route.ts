import { blobHash } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { unlessSame } from '@/app/api/respond-unless-same';
import { downloadBytes } from '@/lib/server/project-bytes';

/**
 * Answers the bytes with this hash, which a browser may keep and ask about again. It shows a raster image inside a page and downloads anything
 * else, so that no file of a project runs as a page of this host.
 */
export const GET = respond<ProjectParams & { readonly hash: string }>(async (request, params, actor) => {
  const hash = checkInput(params.hash, blobHash);
  const { bytes, type } = await downloadBytes(actor, projectId(params), hash);
  const headers = { 'Content-Type': type, 'Content-Disposition': 'attachment' };
  return unlessSame(request, `"${hash}"`, () => new Response(new Uint8Array(bytes), { headers }));
});
