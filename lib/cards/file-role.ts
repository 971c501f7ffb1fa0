import type { FileRole } from './parsed-folder';

/** The config under each of its names, the one upstream prefers first. */
export const configNames = ['fast-agent.yaml', 'fast-agent.config.yaml', 'fastagent.config.yaml'];
const secretNames = new Set(['fast-agent.secrets.yaml', 'fastagent.secrets.yaml']);
export const settingsName = 'callboard.yaml';
const cardFolderNames = new Set(['agent-cards', 'tool-cards']);
const ignoredFolders = /(?:^|\/)(?:node_modules|\.git|\.github|\.venv|venv|__pycache__)\//;

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What the name alone says; `undefined` for files whose content decides between card and document. */
export function roleByName(path: string): Exclude<FileRole, 'binary'> | undefined {
  if (ignoredFolders.test(path)) return 'document';
  const name = baseName(path);
  if (name === 'SKILL.md') return 'skill';
  if (configNames.includes(name)) return 'config';
  if (secretNames.has(name)) return 'secrets';
  if (path === settingsName) return 'settings';
  if (/\.(?:py|[cm]?[jt]sx?)$/i.test(name)) return 'code';
  return /\.(?:md|markdown|ya?ml)$/i.test(name) ? undefined : 'document';
}

/** Cards in it are tools of the agent that fast-agent's `go` begins with. */
export function isToolCardFolder(folder: string): boolean {
  return baseName(folder) === 'tool-cards';
}

/** Folders named as upstream names them hold cards whatever else is in them. */
export function isCardFolderName(folder: string): boolean {
  return cardFolderNames.has(baseName(folder));
}
