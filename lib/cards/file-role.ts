import { fixtureNameOf, isFixtureFile } from './fixture-files';
import type { FileRole } from './parsed-folder';

/** The names of the config, in fast-agent's order of preference. */
export const configNames = ['fast-agent.yaml', 'fast-agent.config.yaml', 'fastagent.config.yaml'];
const secretNames = new Set(['fast-agent.secrets.yaml', 'fastagent.secrets.yaml']);
/** fast-agent's home folder in a project, with cards, skills, settings and hooks. */
export const homeName = '.fast-agent';
export const settingsName = 'callboard.yaml';
const cardFolderNames = new Set(['agent-cards', 'tool-cards']);
const ignoredFolders = /(?:^|\/)(?:node_modules|\.git|\.github|\.venv|venv|__pycache__)\//;

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True for files in folders of installed packages and of git. */
export function isIgnoredFolder(path: string): boolean {
  return ignoredFolders.test(path);
}

/** Returns the role of a file by its name. Returns `undefined` when the content decides between card and document. */
export function roleByName(path: string): Exclude<FileRole, 'binary'> | undefined {
  if (isIgnoredFolder(path)) return 'document';
  const name = baseName(path);
  if (name === 'SKILL.md') return 'skill';
  if (configNames.includes(name)) return 'config';
  if (secretNames.has(name)) return 'secrets';
  if (path === settingsName) return 'settings';
  if (fixtureNameOf(path) !== undefined) return 'fixture';
  if (isFixtureFile(path)) return 'document';
  if (/\.(?:py|[cm]?[jt]sx?)$/i.test(name)) return 'code';
  return /\.(?:md|markdown|ya?ml)$/i.test(name) ? undefined : 'document';
}

/** True for folders whose cards become tools of the entry agent in fast-agent's `go`. */
export function isToolCardFolder(folder: string): boolean {
  return baseName(folder) === 'tool-cards';
}

/** True for fast-agent's names of card folders. They hold cards even when they hold other files too. */
export function isCardFolderName(folder: string): boolean {
  return cardFolderNames.has(baseName(folder));
}
