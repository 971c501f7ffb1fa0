import { commandQuery } from '@/app/api/command-bodies';
import { respond } from '@/app/api/respond';
import { listCommands } from '@/lib/server/commands';

/** Lists the commands that projects ask for, for administrators. */
export const GET = respond(commandQuery, async (_request, _params, actor, query) => {
  return { commands: await listCommands(actor, query) };
});
