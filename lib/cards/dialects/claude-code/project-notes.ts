import { isRecord } from '@/lib/base/json';
import type { DialectNote, PlacedNote } from '@/lib/cards/dialects/form/dialect';
import { documentNotes } from '@/lib/cards/dialects/form/document-notes';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import type { Folder } from '@/lib/cards/folder';
import { otherFiles } from './other-files';
import { permissionsWithoutEffect, settingsThatWork, settingsWithoutEffect } from './settings-fields';
import { projectSettings, settingsFile } from './settings-file';

/** Notes about files that are no agents: each kind once. */
export function projectNotes(folder: Folder): readonly PlacedNote[] {
  const notes: PlacedNote[] = [...documentNotes(folder, otherFiles)];
  for (const note of settingsNotes(projectSettings(folder) ?? {})) notes.push({ file: settingsFile, note });
  const rules = folder.get('CLAUDE.md');
  const imports = rules?.kind === 'text' ? importsIn(rules.text) : [];
  if (imports.length > 0) notes.push({ file: 'CLAUDE.md', note: importNote(imports) });
  return notes;
}

function settingsNotes(settings: Readonly<Record<string, unknown>>): readonly DialectNote[] {
  const notes: DialectNote[] = [];
  const { hooks, permissions } = settings;
  if (isRecord(hooks) && Object.keys(hooks).length > 0) notes.push(hooksNote(Object.keys(hooks)));
  for (const key of Object.keys(settings)) if (!settingsThatWork.has(key)) notes.push(settingNote(key));
  for (const key of isRecord(permissions) ? Object.keys(permissions) : []) {
    if (key !== 'deny') notes.push(permissionNote(key));
  }
  return notes;
}

/** Returns the paths of imports, `@path`, outside code. Source: code.claude.com/docs/en/memory, *Import additional files*. */
export function importsIn(text: string): readonly string[] {
  const found = new Set<string>();
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    if (fence !== undefined || mark !== undefined) continue;
    const prose = line.replace(/`[^`]*`/g, '');
    for (const [, path = ''] of prose.matchAll(/(?:^|\s)@((?:~\/|\/|\.{1,2}\/)?[\w.-]+(?:\/[\w.-]+)*)/g)) {
      const trimmed = path.replace(/\.+$/, '');
      if (/\.\w+$|\//.test(trimmed)) found.add(trimmed);
    }
  }
  return [...found];
}

function importNote(paths: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `A file that CLAUDE.md imports with '@' is not read into the instruction here: ${quoted(words)}. Copy what the agent needs.`;
  return { key: 'imports', use: 'cannot-run', path: [], words: paths, say };
}

function settingNote(setting: string): DialectNote {
  const say = ([first = '', ...more]: readonly string[]) => {
    if (more.length > 0) return `Settings that are kept and have no effect here: ${quoted([first, ...more])}.`;
    return `'${first}' is kept and has no effect here: ${settingsWithoutEffect[first] ?? 'nothing here reads it.'}`;
  };
  return { key: 'settings-keys', use: 'kept', path: [setting], words: [setting], say };
}

function permissionNote(rule: string): DialectNote {
  const say = (words: readonly string[]) => {
    const reasons = [...new Set(words.flatMap((word) => permissionsWithoutEffect[word] ?? []))];
    const because = reasons.length === 0 ? '' : ` ${reasons.join(' ')}`;
    return `Of 'permissions', only 'deny' has an effect here. Kept without effect: ${quoted(words)}.${because}`;
  };
  return { key: 'permission-keys', use: 'kept', path: ['permissions', rule], words: [rule], say };
}

function hooksNote(events: readonly string[]): DialectNote {
  return {
    key: 'settings-hooks',
    use: 'cannot-run',
    path: ['hooks'],
    words: events,
    say: (words) =>
      `The hooks of .claude/settings.json are kept and cannot run here: ${words.join(', ')}. They are commands.`,
  };
}
