import { agentView } from '@/lib/cards/agent-view';
import { importedFiles } from '@/lib/cards/code/imported-files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { skillsOf } from '@/lib/cards/read/skills';
import { joinPath } from '@/lib/cards/references';
import { launchReader } from '@/lib/cards/trust/loaded-files';
import type { Renames } from './align';
import { type Found, quoted, switchChange } from './capability-change';
import { codeRefsOf } from './code-refs';
import { includedFiles } from './included-files';
import type { Side, Sides } from './project-side';

/** A file that decides what runs do, and what uses it. */
interface UsedFile {
  readonly kind: 'code' | 'command' | 'text' | 'skill';
  /** Such as `the hook 'redact'`. */
  readonly users: readonly string[];
}

/** Code, texts and skills whose content is different. What the code does is not looked at. */
export function fileChanges({ before, after }: Sides, { functions }: Renames): Found[] {
  const [old, now] = [usedFiles(before), usedFiles(after)];
  const found: Found[] = [];
  for (const path of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const [was, is] = [old.get(path), now.get(path)];
    const used = is ?? was;
    if (used === undefined) continue;
    const about = { kind: used.kind, subject: { file: path }, at: { file: path } };
    const users = quotedUsers(used.users);
    const [wasThere, isThere] = [
      was !== undefined && before.folder.has(path),
      is !== undefined && after.folder.has(path),
    ];
    if (wasThere && isThere) {
      if (sameContent(before.folder.get(path), after.folder.get(path), path, functions)) continue;
      found.push({ ...about, weight: 'same-but-different', sentence: differs(path, used.kind, users) });
    } else if (used.kind === 'code' || used.kind === 'command') {
      found.push(
        ...switchChange(about, wasThere, isThere, {
          on: `The code in '${path}' now runs, for ${users}.`,
          off: `The code in '${path}' no longer runs. It was used by ${users}.`,
        }),
      );
    }
  }
  return [...found, ...pythonChanges(before, after)];
}

function differs(path: string, kind: UsedFile['kind'], users: string): string {
  switch (kind) {
    case 'code':
      return `The code in '${path}' is different. It is used by ${users}.`;
    case 'command':
      return `The file '${path}' is different. It may be loaded by ${users}.`;
    case 'text':
      return `The text of '${path}' is different. It is part of ${users}.`;
    case 'skill':
      return `The file '${path}' is different. It belongs to ${users}.`;
  }
}

const mostUsers = 4;

function quotedUsers(users: readonly string[]): string {
  const shown = users.slice(0, mostUsers);
  const more = users.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function usedFiles(side: Side): ReadonlyMap<string, UsedFile> {
  const { folder, parsed } = side;
  const files = new Map<string, { kind: UsedFile['kind']; users: Set<string> }>();
  const use = (path: string, kind: UsedFile['kind'], user: string) => {
    const known = files.get(path);
    if (known === undefined) files.set(path, { kind, users: new Set([user]) });
    else known.users.add(user);
  };
  for (const { code, as } of codeRefsOf(parsed)) {
    for (const path of importedFiles(folder, code.file)) use(path, 'code', `the ${as} '${code.functionName}'`);
  }
  for (const [path, server] of launchedFiles(folder, parsed)) use(path, 'command', `the server '${server}'`);
  for (const card of parsed.cards) {
    const view = agentView(card);
    for (const path of includedFiles(view, folder)) use(path, 'text', `the prompt of agent '${card.name}'`);
    for (const path of view.messages)
      use(messagePath(folder, card.file, path), 'text', `the conversation of agent '${card.name}'`);
    for (const { name, directory } of skillsOf(view, folder).skills) {
      for (const path of filesBelow(folder, directory)) use(path, 'skill', `the skill '${name}'`);
    }
  }
  return new Map([...files].map(([path, { kind, users }]) => [path, { kind, users: [...users] }]));
}

export function filesBelow(folder: Folder, directory: string): string[] {
  return [...folder.keys()].filter((path) => path.startsWith(directory));
}

/** Files that the commands of servers name, or may load because they name one, each with the server. Packages of a registry are not files. */
export function launchedFiles(folder: Folder, parsed: ParsedFolder): [string, string][] {
  const launches = launchReader(folder, parsed);
  const own = new Set(codeRefsOf(parsed).map(({ code }) => code.file));
  return Object.values(parsed.config.servers).flatMap((server): [string, string][] => {
    if (server.transport !== 'stdio') return [];
    const { command = '', args, env, cwd } = server;
    const { files, reachesAll } = launches.filesOf({ words: [command, ...args], values: Object.values(env), cwd });
    const more = reachesAll ? launches.runnable.filter((path) => !own.has(path)) : [];
    return [...new Set([...files, ...more])].map((path) => [path, server.name]);
  });
}

/** Tells that a folder begins or ends to need Python, which an operator turns on. */
function pythonChanges(before: Side, after: Side): Found[] {
  const filesOf = ({ parsed }: Side) =>
    [...new Set(codeRefsOf(parsed).map(({ code }) => code.file))].filter((path) => /\.py$/i.test(path)).sort();
  const [old, now] = [filesOf(before), filesOf(after)];
  const [file = ''] = now.length > 0 ? now : old;
  return switchChange({ kind: 'python', subject: { file }, at: { file } }, old.length > 0, now.length > 0, {
    on: `The folder now runs Python: ${quoted(now)}.`,
    off: 'The folder no longer runs Python.',
  });
}

function sameContent(
  before: FolderFile | undefined,
  after: FolderFile | undefined,
  path: string,
  functions: ReadonlyMap<string, string>,
): boolean {
  if (before === undefined || after === undefined || before.kind !== after.kind) return false;
  if (before.kind === 'text' && after.kind === 'text') {
    let text = before.text;
    for (const [from, to] of functions) {
      if (from.startsWith(`${path}:`)) text = text.replaceAll(new RegExp(`\\b${nameIn(from)}\\b`, 'g'), nameIn(to));
    }
    return plain(text) === plain(after.text);
  }
  if (before.kind === 'binary' && after.kind === 'binary') {
    return (
      before.bytes.length === after.bytes.length && before.bytes.every((byte, index) => byte === after.bytes[index])
    );
  }
  return before.kind === 'stored' && after.kind === 'stored' && before.hash === after.hash;
}

/** Ends of lines and the end of the file mean nothing. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf(':') + 1);
}

export function messagePath(folder: Folder, card: string, written: string): string {
  return folder.has(written) ? written : (joinPath(card, written) ?? written);
}
