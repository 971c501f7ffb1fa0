import { respondToGit } from '@/app/git/respond-to-git';
import { AppError } from '@/lib/base/app-error';
import { listRefs } from '@/lib/server/git/fetch';

/** The first request of every git command: which refs there are. */
export const GET = respondToGit(async (request, project, actor) => {
  const service = new URL(request.url).searchParams.get('service');
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') {
    throw new AppError('bad_request', 'Use a git client that speaks smart HTTP, version 1.6.6 or later.');
  }
  const body = await listRefs(actor, project, service);
  return new Response(new Uint8Array(body), { headers: { 'Content-Type': `application/x-${service}-advertisement` } });
});
