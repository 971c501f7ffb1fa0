import type { DialectNote, PlacedNote } from '@/lib/cards/dialects/form/dialect';
import type { Folder } from '@/lib/cards/folder';

/** Notes about files that are no agents: each kind once. */
export function projectNotes(folder: Folder): readonly PlacedNote[] {
  const notes: PlacedNote[] = [];
  for (const file of [...folder.keys()].sort()) {
    const note = kinds.find(([pattern]) => pattern.test(file))?.[1];
    if (note !== undefined) notes.push({ file, note });
  }
  return notes;
}

const kinds: readonly (readonly [RegExp, DialectNote])[] = [
  [
    /^\.github\/prompts\/.+\.prompt\.md$/,
    keptNote('prompts', 'A file of .github/prompts is kept and has no effect here: a person types it in VS Code.'),
  ],
  [
    /^\.github\/instructions\/.+\.instructions\.md$/,
    keptNote(
      'instructions',
      "Instructions of .github/instructions are kept and not read into the prompts of agents, with or without 'applyTo'. Copy what an agent needs.",
    ),
  ],
  [
    /^(?:AGENTS|CLAUDE)\.md$/,
    keptNote('rules', 'Rules for every agent, such as AGENTS.md, are kept and not read into the prompts of agents.'),
  ],
  [
    /^\.github\/hooks\/.+\.json$/,
    {
      ...keptNote('hook-files', 'Hooks of .github/hooks are kept and cannot run here. They are commands.'),
      use: 'cannot-run',
    },
  ],
];

function keptNote(key: string, text: string): DialectNote {
  return { key, use: 'kept', path: [], words: [], say: () => text };
}
