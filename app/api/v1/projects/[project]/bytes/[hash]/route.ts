import { blobHash } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { downloadBytes } from '@/lib/server/project-bytes';

/**
 * Answers the bytes with this hash. A browser may cache them. It shows a raster image inside a page and downloads anything
 * else, so that no file of a project runs as a page of this host.
 */
export const GET = respond<ProjectParams & { readonly hash: string }>(async (_request, params, actor) => {
  const { bytes, type } = await downloadBytes(actor, projectId(params), checkInput(params.hash, blobHash));
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': type,
      'Content-Disposition': 'attachment',
      'Cache-Control': 'private, max-age=31536000, immutable',
    },
  });
});
