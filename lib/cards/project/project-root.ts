import { dialectHomes } from '@/lib/cards/dialects/homes';
import { dialects } from '@/lib/cards/dialects/list';
import { baseName, configNames, homeName, isCardFolderName, parentOf, settingsName } from '@/lib/cards/file-role';

/** True if the names in a folder show that it is the top folder of a project. */
export function isProjectRoot(names: Iterable<string>): boolean {
  for (const name of names) {
    if (isRootFile(name) || name === homeName || isCardFolderName(name) || dialectRootNames.has(name)) return true;
  }
  return false;
}

const dialectRootNames = new Set(dialects.flatMap(({ rootNames }) => rootNames));

/**
 * Returns the number of levels from a folder up to the top of its project: a card folder is checked together with the
 * settings, hooks and skills beside it. `path` has forward slashes; `namesIn` lists the folder 0 or 1 levels above it.
 */
export async function levelsToRoot(
  path: string,
  namesIn: (levels: 0 | 1) => Promise<readonly string[]>,
): Promise<number> {
  const [name, parent] = [baseName(path), baseName(parentOf(path))];
  if (name === homeName || dialectHomes.includes(name)) return 1;
  if (parent === homeName || dialectHomes.includes(parent)) return 2;
  if (isProjectRoot(await namesIn(0))) return 0;
  const beside = await namesIn(1);
  // Cards alone do not make the folder above a project, because it may be a home folder.
  const isPart =
    isCardFolderName(name) && beside.some((one) => one === homeName || (one !== name && isCardFolderName(one)));
  return isPart || beside.some(isRootFile) ? 1 : 0;
}

function isRootFile(name: string): boolean {
  return name === settingsName || configNames.includes(name);
}
