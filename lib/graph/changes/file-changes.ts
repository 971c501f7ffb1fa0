import { agentView } from '@/lib/cards/agent-view';
import { hiddenCharacters } from '@/lib/cards/check/check-hidden';
import { importedFiles } from '@/lib/cards/code/imported-files';
import { isSameCode } from '@/lib/cards/code/same-code';
import { scriptImports } from '@/lib/cards/code/script-imports';
import { fixtureNameOf } from '@/lib/cards/fixture-files';
import type { FolderFile } from '@/lib/cards/folder';
import { skillsOf } from '@/lib/cards/read/skills';
import type { Renames } from './align';
import { type Found, listChange, quoted, switchChange } from './capability-change';
import { codeRefsOf } from './code-refs';
import { includedFiles } from './included-files';
import { filesBelow, launchedFiles, messagePath } from './launched-files';
import type { Side, Sides } from './project-side';

/** A file that decides what runs do, and what uses it. */
interface UsedFile {
  readonly kind: 'code' | 'command' | 'text' | 'skill';
  /** Such as `the hook 'redact'`. */
  readonly users: readonly string[];
}

/** Code, texts and skills whose content is different. What the code does is not looked at. */
export function fileChanges({ before, after }: Sides, renames: Renames): Found[] {
  const { functions } = renames;
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
      if (isSameFile(before.folder.get(path), after.folder.get(path), path, functions)) continue;
      found.push({ ...about, weight: 'same-but-different', sentence: differs(path, used.kind, users) });
    } else if (used.kind === 'code' || used.kind === 'command') {
      found.push(
        ...switchChange(about, wasThere, isThere, {
          ...(used.kind === 'code'
            ? {
                on: `The code in '${path}' now runs, for ${users}.`,
                off: `The code in '${path}' no longer runs. It was used by ${users}.`,
              }
            : {
                on: `The file '${path}' may now be loaded by ${users}.`,
                off: `The file '${path}' is no longer loaded. It could be loaded by ${users}.`,
              }),
        }),
      );
    } else if (used.kind === 'skill' && hasUser(old, used) && hasUser(now, used)) {
      const sentence = `The file '${path}' is ${isThere ? 'new' : 'gone'}. It ${isThere ? 'belongs' : 'belonged'} to ${users}.`;
      found.push({ ...about, weight: isThere ? 'more' : 'less', sentence });
    }
  }
  return [
    ...found,
    ...pythonChanges(before, after),
    ...testChanges(before, after),
    ...hiddenChanges(before, after, renames.files),
  ];
}

/** True if something that uses the file is on this side too. What is new or gone is told itself. */
function hasUser(files: ReadonlyMap<string, UsedFile>, { users }: UsedFile): boolean {
  return [...files.values()].some((file) => file.users.some((user) => users.includes(user)));
}

/** Tests that are gone no longer stop a change. */
function testChanges(before: Side, after: Side): Found[] {
  const testsIn = ({ folder }: Side) => [...folder.keys()].filter((path) => fixtureNameOf(path) !== undefined);
  const about = (file: string) => ({ kind: 'setting' as const, subject: { file }, at: { file } });
  const [old, now] = [testsIn(before), testsIn(after)];
  return [
    ...listChange(
      about,
      old,
      now,
      (file, isNew) => `The test '${file}' is ${isNew ? 'new' : 'gone'}.`,
      'same-but-different',
    ),
    ...now.flatMap((file): Found[] => {
      const [was, is] = [before.folder.get(file), after.folder.get(file)];
      if (!old.includes(file) || isSameFile(was, is, file, new Map())) return [];
      return [{ ...about(file), weight: 'same-but-different', sentence: `The test '${file}' is different.` }];
    }),
  ];
}

/** Characters that nobody sees and that were not there before. */
function hiddenChanges(before: Side, after: Side, moved: ReadonlyMap<string, string>): Found[] {
  type Hidden = ReturnType<typeof hiddenCharacters>[number];
  const keyOf = ({ file, character }: Hidden) => `${character.code} ${moved.get(file) ?? file}`;
  const [old, now] = [before, after].map(({ folder, parsed }) => hiddenCharacters(folder, parsed));
  const [was, is] = [old, now].map((all) => new Set(all?.map(keyOf)));
  const told = ({ file, character: { code, name }, place }: Hidden, isNew: boolean): Found => {
    const sentence = isNew
      ? `'${file}' now has ${code} (${name}), which is invisible or turns the direction of text. What runs may differ from what is read.`
      : `'${file}' no longer has ${code} (${name}), which is invisible or turns the direction of text.`;
    const at = isNew ? { file, line: place.line } : { file };
    return { kind: 'text', weight: isNew ? 'more' : 'less', sentence, subject: { file }, at };
  };
  return [
    ...(now ?? []).filter((found) => was?.has(keyOf(found)) === false).map((found) => told(found, true)),
    ...(old ?? []).filter((found) => is?.has(keyOf(found)) === false).map((found) => told(found, false)),
  ];
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
    for (const path of importedFiles(folder, code.file, scriptImports))
      use(path, 'code', `the ${as} '${code.functionName}'`);
  }
  // What tools and hooks import is told of them alone, although a server that loads files of the folder could load it too.
  const imported = new Set(files.keys());
  for (const [path, server] of launchedFiles(folder, parsed)) {
    if (!imported.has(path)) use(path, 'command', `the server '${server}'`);
  }
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

function isSameFile(
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
    return plain(text) === plain(after.text) || isSameCode(path, text, after.text);
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
