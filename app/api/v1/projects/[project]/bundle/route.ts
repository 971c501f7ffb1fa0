import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { streamOf } from '@/app/api/stream-of';
import { bundleProject } from '@/lib/server/git/fetch';

/** The project with its whole history as one file, for `git clone` and backups. */
export const GET = respond<ProjectParams>(async (_request, params, actor) => {
  const { name, chunks } = await bundleProject(actor, projectId(params));
  const ascii = name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'project';
  return new Response(streamOf(chunks), {
    headers: {
      'Content-Type': 'application/x-git-bundle',
      'Content-Disposition': `attachment; filename="${ascii.slice(0, 100)}.bundle"`,
    },
  });
});
