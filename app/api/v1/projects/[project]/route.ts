import { z } from 'zod';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { projectName } from '@/app/api/read-import';
import { draftQuery } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { deleteProject, describeProject, renameProject } from '@/lib/server/projects';

export const GET = respond(
  draftQuery,
  async (_request, params: ProjectParams, actor, { draft }) => await describeProject(actor, projectId(params), draft),
);

export const PATCH = respond<ProjectParams>(async (request, params, actor) => {
  const { name } = await readJson(request, z.strictObject({ name: projectName }));
  await renameProject(actor, projectId(params), name);
  return { name };
});

export const DELETE = respond<ProjectParams>(async (_request, params, actor) => {
  await deleteProject(actor, projectId(params));
  return new Response(null, { status: 204 });
});
