import { readImport } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { readFolder } from '@/lib/cards/read-folder';
import { checkFolder } from '@/lib/server/folder-limits';

/** Says what a folder holds and what is wrong with it. Stores and runs nothing. */
export const POST = respond(async (request) => {
  const { name, folder } = await readImport(request);
  checkFolder(folder);
  const parsed = readFolder(folder);
  return {
    name: name ?? null,
    files: folder.size,
    cards: parsed.cards.map((card) => ({ file: card.file, name: card.name, type: card.type })),
    issues: parsed.issues,
  };
});
