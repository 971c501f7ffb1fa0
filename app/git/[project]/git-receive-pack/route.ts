import { readGitBody } from '@/app/git/read-git-body';
import { respondToGit } from '@/app/git/respond-to-git';
import { originOf } from '@/lib/server/accounts/request-origin';
import { packLimits } from '@/lib/server/folders/folder-limits';
import { receivePush } from '@/lib/server/git/push';

/** Takes a push. What became of each branch is in the answer, which is 200 also if all were refused. */
export const POST = respondToGit(async (request, project, actor) => {
  const body = await readGitBody(request, packLimits.packBytes);
  const origin = originOf(request);
  const answer = await receivePush(actor, project, body, (page) => `${origin}/p/${project}${page}`);
  return new Response(new Uint8Array(answer), { headers: { 'Content-Type': 'application/x-git-receive-pack-result' } });
});
