import { importQuery, readImport } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { checkProject } from '@/lib/server/projects';

/** Says what a folder holds and what is wrong with it. Stores and runs nothing. */
export const POST = respond(importQuery, async (request, _params, actor, asked) => {
  const { name, folder } = await readImport(request, asked.name);
  const { cards, issues } = await checkProject(actor, folder);
  return { name: name ?? null, files: folder.size, cards, issues };
});
