import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { lineFinder } from '@/lib/cards/trust/line-finder';

/** A folder that a server or an agent would work in. */
export interface WorkFolder {
  /** As written: relative to the project, or absolute. */
  readonly path: string;
  /** For a place where it is not. */
  readonly issue: Issue;
}

/** Every `cwd` of cards and of the servers they use that names a folder of its own; one with a variable is known only when it is filled. */
export function workFolders(folder: Folder, cards: readonly Card[], config: FastAgentConfig): readonly WorkFolder[] {
  const lines = lineFinder(folder);
  const found: WorkFolder[] = [];
  const add = (path: string | undefined, user: string, file: string, keys: readonly string[], agent?: string) => {
    if (path === undefined || path.includes('${') || /^(?:\.\/?)*$/.test(path)) return;
    const text = `'cwd' of ${user} is '${path}', and there is no such folder. Correct it, or put a file into that folder: empty folders are no part of a project.`;
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

/** Those in the project that hold no file. fast-agent's check refuses a missing `cwd`; a server does not start there. */
export function checkWorkFolders(folder: Folder, cards: readonly Card[], config: FastAgentConfig): Issue[] {
  return workFolders(folder, cards, config).flatMap(({ path, issue }) => {
    const inside = insideProject(path);
    if (inside === undefined) return [];
    const start = `${inside}/`;
    return [...folder.keys()].some((file) => file.startsWith(start)) ? [] : [issue];
  });
}

/** The path without `.` and `..`; `undefined` for one outside the project. */
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
