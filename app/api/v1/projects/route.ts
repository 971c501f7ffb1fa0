import { readImport } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { createProject, listProjects } from '@/lib/server/projects';

export const GET = respond(async () => ({ projects: await listProjects() }));

export const POST = respond(async (request) => {
  const { name, folder } = await readImport(request);
  const { id } = await createProject({ name: name ?? 'Untitled', folder });
  return Response.json({ id }, { status: 201, headers: { Location: `/api/v1/projects/${id}` } });
});
