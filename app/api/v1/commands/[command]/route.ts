import { decisionBody } from '@/app/api/command-bodies';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { decideCommand } from '@/lib/server/commands';

interface CommandParams {
  readonly command: string;
}

/** Approves, denies or revokes a command. */
export const POST = respond<CommandParams>(async (request, { command }, actor) => {
  return await decideCommand(actor, command, await readJson(request, decisionBody));
});
