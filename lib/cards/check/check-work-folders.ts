import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { lineFinder } from '@/lib/cards/read/line-finder';

/** The working folder of a server or an agent. */
export interface WorkFolder {
  /** The path as written, relative to the project or absolute. */
  readonly path: string;
  /** The issue for when the folder does not exist. */
  readonly issue: Issue;
}

/**
 * Returns every `cwd` of cards and of the servers they use, except those with a variable, which are unknown before a run.
 */
export function workFolders(folder: Folder, cards: readonly Card[], config: FastAgentConfig): readonly WorkFolder[] {
  const lines = lineFinder(folder);
  const found: WorkFolder[] = [];
  const add = (path: string | undefined, user: string, file: string, keys: readonly string[], agent?: string) => {
    if (path === undefined || path.includes('${') || /^(?:\.\/?)*$/.test(path)) return;
    const text = `'cwd' of ${user} is '${path}', and there is no such folder. Correct it, or put a file into that folder: a project has no empty folders.`;
    const line = lines.ofKey(file, keys) ?? 1;
    found.push({ path, issue: makeIssue('cwd-missing', { file, line, column: 1, agent }, text) });
  };
  const used = new Set(cards.flatMap((card) => ('servers' in card ? card.servers : [])));
  for (const { name, cwd } of Object.values(config.servers)) {
    if (!used.has(name)) continue;
    add(cwd, `server '${name}'`, config.file ?? 'fast-agent.yaml', ['mcp', 'servers', name, 'cwd']);
  }
  for (const card of cards) {
    if (card.type === 'agent') add(card.cwd, `agent '${card.name}'`, card.file, ['cwd'], card.name);
  }
  return found;
}

/** Reports working folders in the project without files. fast-agent rejects a missing `cwd`, and a server cannot start there. */
export function checkWorkFolders(folder: Folder, cards: readonly Card[], config: FastAgentConfig): Issue[] {
  return workFolders(folder, cards, config).flatMap(({ path, issue }) => {
    const inside = insideProject(path);
    if (inside === undefined) return [];
    const start = `${inside}/`;
    return [...folder.keys()].some((file) => file.startsWith(start)) ? [] : [issue];
  });
}

/** Returns the normalised path. Returns `undefined` for a path outside the project. */
export function insideProject(path: string): string | undefined {
  if (/^([/\\~]|[A-Za-z]:)/.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part !== '..') {
      if (part !== '' && part !== '.') parts.push(part);
    } else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
