import { askBody } from '@/app/api/command-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { approveCommands, askForCommands } from '@/lib/server/commands';
import { readTrust } from '@/lib/server/trust';

/** Asks for the approval of what the project starts, or gives it, and answers the state. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const [project, { approve, ...target }] = [projectId(params), await readJson(request, askBody)];
  if (approve === undefined) await askForCommands(actor, project, target);
  else await approveCommands(actor, project, approve, target);
  return await readTrust(actor, project, target);
});
