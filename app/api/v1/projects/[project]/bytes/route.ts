import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readBytes } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { folderLimits } from '@/lib/server/folders/folder-limits';
import { uploadBytes } from '@/lib/server/project-bytes';

/** Stores the body for a save that follows, and answers its hash. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const id = projectId(params);
  const stored = await uploadBytes(actor, id, await readBytes(request, folderLimits.fileBytes));
  return Response.json(stored, {
    status: 201,
    headers: { Location: `/api/v1/projects/${id}/bytes/${stored.hash}` },
  });
});
