import { baseName, configNames, isCardFolderName, parentOf, settingsName } from './file-role';

/** fast-agent's home in a project: cards, skills, settings, hooks. */
export const homeName = '.fast-agent';

/** Whether names in a folder, of files and folders, say that it is the top of a project. */
export function isProjectRoot(names: Iterable<string>): boolean {
  for (const name of names) if (isRootFile(name) || name === homeName || isCardFolderName(name)) return true;
  return false;
}

/**
 * How many folders above a named one its project begins: a card folder is judged with the settings, hooks and skills beside
 * it. `path` has forward slashes; `namesIn` lists a folder 0 or 1 levels above it.
 */
export async function levelsToRoot(
  path: string,
  namesIn: (levels: 0 | 1) => Promise<readonly string[]>,
): Promise<number> {
  const [name, parent] = [baseName(path), baseName(parentOf(path))];
  if (name === homeName) return 1;
  if (parent === homeName) return 2;
  if (isProjectRoot(await namesIn(0))) return 0;
  const beside = await namesIn(1);
  // Cards alone say little of a folder above: it may be somebody's home folder.
  const isPart =
    isCardFolderName(name) && beside.some((one) => one === homeName || (one !== name && isCardFolderName(one)));
  return isPart || beside.some(isRootFile) ? 1 : 0;
}

function isRootFile(name: string): boolean {
  return name === settingsName || configNames.includes(name);
}
