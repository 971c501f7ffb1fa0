import { streamOf } from '@/app/api/stream-of';
import { readGitBody } from '@/app/git/read-git-body';
import { respondToGit } from '@/app/git/respond-to-git';
import { fetchPack } from '@/lib/server/git/fetch';

/** A request names commits, which takes 50 bytes for each. */
const maxRequestBytes = 2 * 1024 * 1024;

/** Sends what a clone or a pull lacks. */
export const POST = respondToGit(async (request, project, actor) => {
  const parts = await fetchPack(actor, project, await readGitBody(request, maxRequestBytes));
  return new Response(streamOf(parts), { headers: { 'Content-Type': 'application/x-git-upload-pack-result' } });
});
