import { baseName } from './file-role';

const folders = new Set([
  ...['.git', '.hg', '.svn', 'node_modules', '.venv', 'venv', '__pycache__', '.next'],
  '.callboard',
]);
const files = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** Matches the folder that fast-agent writes to while it runs. Other files of its home folder belong to the project. */
const written = /(?:^|\/)\.fast-agent\/sessions$/;

/**
 * True for files and folders of tools, which are never part of a project, whether the app imports a folder or the command line
 * reads it. `path` is relative to the folder.
 */
export function isLeftOut(path: string, isFolder: boolean): boolean {
  const name = baseName(path);
  return isFolder ? folders.has(name) || written.test(path) : files.has(name);
}
