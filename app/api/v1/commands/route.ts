import { commandQuery } from '@/app/api/command-bodies';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { listCommands } from '@/lib/server/commands';

/** Lists the commands that projects ask for, for administrators. */
export const GET = respond(async (request, _params, actor) => {
  const query = checkInput(Object.fromEntries(new URL(request.url).searchParams), commandQuery);
  return { commands: await listCommands(actor, query) };
});
