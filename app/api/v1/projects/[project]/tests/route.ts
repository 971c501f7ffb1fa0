import { z } from 'zod';
import { plainName } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { targetFields } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { fixtureModes } from '@/lib/base/fixture-result';
import { readFixtures, startFixtures } from '@/lib/server/fixtures';

const startBody = z.strictObject({
  ...targetFields,
  mode: z.enum(fixtureModes).default('replay'),
  names: z.array(plainName).max(200).optional(),
});

/** The tests of the draft, and the newest results on it and on earlier files. */
export const GET = respond<ProjectParams>(async (_request, params, actor) => {
  const { treeHash, fixtures, results, revisions, reasons } = await readFixtures(actor, projectId(params));
  return { treeHash, tests: fixtures, results, revisions, reasons };
});

/** Queues tests and answers without waiting for them. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const { mode, names, ...target } = await readJson(request, startBody);
  return Response.json(await startFixtures(actor, projectId(params), { mode, names, target }), { status: 202 });
});
