import { existsSync } from 'node:fs';
import path from 'node:path';
import { givenAppFolder } from './process-env';

/**
 * The absolute path of the folder of package.json. Next bundles this file into another folder; there the working directory
 * is used, because the launcher starts every child process in this folder.
 */
export const appFolder = findAppFolder();

function findAppFolder(): string {
  const given = givenAppFolder();
  if (given !== undefined) return given;
  let folder = process.cwd();
  while (!existsSync(path.join(folder, 'prisma', 'schema.prisma'))) {
    const parent = path.dirname(folder);
    if (parent === folder) return process.cwd();
    folder = parent;
  }
  return folder;
}
