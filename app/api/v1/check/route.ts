import { importQuery, readImport } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { checkProject } from '@/lib/server/projects';

/** Says what a folder holds, what is wrong with it, and what becomes of each file. Stores and runs nothing. */
export const POST = respond(importQuery, async (request, _params, actor, asked) => {
  const { name, folder } = await readImport(request, asked.name);
  const { cards, issues, report } = await checkProject(actor, folder);
  return { name: name ?? null, files: folder.size, cards, issues, report: report ?? null };
});
