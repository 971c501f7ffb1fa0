import { z } from 'zod';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { projectName } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { deleteProject, describeProject, renameProject } from '@/lib/server/projects';

export const GET = respond<ProjectParams>(async (_request, params) => await describeProject(projectId(params)));

export const PATCH = respond<ProjectParams>(async (request, params) => {
  const { name } = await readJson(request, z.strictObject({ name: projectName }));
  await renameProject(projectId(params), name);
  return { name };
});

export const DELETE = respond<ProjectParams>(async (_request, params) => {
  await deleteProject(projectId(params));
  return new Response(null, { status: 204 });
});
