import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of package.json, absolute. Next bundles this file, which moves it; there the working directory is the answer,
 * for the launcher starts every child of its in this folder.
 */
export const appFolder = findAppFolder();

function findAppFolder(): string {
  const given = process.env.CALLBOARD_APP_FOLDER;
  if (given !== undefined && given !== '') return given;
  let folder = process.cwd();
  while (!existsSync(path.join(folder, 'prisma', 'schema.prisma'))) {
    const parent = path.dirname(folder);
    if (parent === folder) return process.cwd();
    folder = parent;
  }
  return folder;
}
