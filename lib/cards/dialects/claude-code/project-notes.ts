import { isRecord } from '@/lib/base/json';
import type { DialectNote, PlacedNote } from '@/lib/cards/dialects/form/dialect';
import type { Folder } from '@/lib/cards/folder';
import { projectSettings, settingsFile } from './settings-file';

/** Notes about files that are no agents: each kind once. */
export function projectNotes(folder: Folder): readonly PlacedNote[] {
  const notes: PlacedNote[] = [];
  const commands = [...folder.keys()].filter((path) => /^\.claude\/commands\/.+\.md$/.test(path)).sort();
  for (const file of commands) notes.push({ file, note: commandNote });
  const { hooks } = projectSettings(folder) ?? {};
  if (isRecord(hooks) && Object.keys(hooks).length > 0) {
    notes.push({ file: settingsFile, note: hooksNote(Object.keys(hooks)) });
  }
  const rules = folder.get('CLAUDE.md');
  if (rules?.kind === 'text' && importLine.test(rules.text)) notes.push({ file: 'CLAUDE.md', note: importNote });
  return notes;
}

/** An import, `@path`, outside code. Source: code.claude.com/docs/en/memory, *CLAUDE.md imports*. */
const importLine = /(?:^|\s)@(?:~?\/|\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*\.\w+/m;

const commandNote: DialectNote = {
  key: 'commands',
  use: 'kept',
  path: [],
  words: [],
  say: () => 'A command of .claude/commands is kept and has no effect here: a person types it in Claude Code.',
};

const importNote: DialectNote = {
  key: 'imports',
  use: 'cannot-run',
  path: [],
  words: [],
  say: () => "A file that CLAUDE.md imports with '@' is not read into the instruction here. Copy what the agent needs.",
};

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
