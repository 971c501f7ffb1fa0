import { baseName } from './file-role';

const folders = new Set([
  ...['.git', '.hg', '.svn', 'node_modules', '.venv', 'venv', '__pycache__', '.next'],
  '.callboard',
]);
const files = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** What fast-agent writes below its home folder while it runs. Cards, skills, settings and hooks of that folder are read. */
const written = /(?:^|\/)\.fast-agent\/sessions$/;

/**
 * Whether something in a folder from outside is never part of a project: what tools keep there. The same for a folder that
 * the app imports and for one that the command line reads. `path` is relative to the folder.
 */
export function isLeftOut(path: string, isFolder: boolean): boolean {
  const name = baseName(path);
  return isFolder ? folders.has(name) || written.test(path) : files.has(name);
}
