import type { Folder } from '@/lib/cards/folder';
import { isProjectRoot } from './project-root';

/**
 * Removes the single top folder that many archives have (`repo-main/…`), but only if its content clearly is a project's
 * root. Returns the name of the removed folder too, because it is a good name for the project.
 */
export function unwrapFolder(folder: Folder): { readonly folder: Folder; readonly wrapper: string | undefined } {
  const paths = [...folder.keys()];
  const first = paths[0];
  const slash = first?.indexOf('/') ?? -1;
  if (first === undefined || slash === -1) return { folder, wrapper: undefined };
  const wrapper = first.slice(0, slash);
  const inside = (path: string) => path.slice(slash + 1);
  const wrapped = paths.every((path) => path.startsWith(`${wrapper}/`));
  if (!wrapped || isProjectRoot([wrapper]) || !isProjectRoot(paths.map((path) => inside(path).replace(/\/.*$/s, '')))) {
    return { folder, wrapper: undefined };
  }
  return { folder: new Map([...folder].map(([path, file]) => [inside(path), file])), wrapper };
}
