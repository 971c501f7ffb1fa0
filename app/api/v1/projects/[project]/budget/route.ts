import { budgetBody } from '@/app/api/limit-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { changeBudget, readBudget } from '@/lib/server/run-limits';

export const GET = respond<ProjectParams>(
  async (_request, params, actor) => await readBudget(actor, projectId(params)),
);

export const PUT = respond<ProjectParams>(async (request, params, actor) => {
  await changeBudget(actor, projectId(params), await readJson(request, budgetBody));
  return new Response(null, { status: 204 });
});

export const DELETE = respond<ProjectParams>(async (_request, params, actor) => {
  await changeBudget(actor, projectId(params), undefined);
  return new Response(null, { status: 204 });
});
