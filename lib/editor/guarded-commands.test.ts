import { expect, test } from 'vitest';
import type { PartUses } from '@/lib/base/uses';
import { folderOf } from '@/lib/cards/files';
import { type Commands, createCommands } from './commands';
import { guardedCommands } from './guarded-commands';
import { createPartUses, partKey } from './part-uses';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { createRunSession } from './run-session';

const files = {
  'lead.md': '---\nname: lead\nagents: [writer]\ntool_hooks: [hooks.ts:audit, hooks.ts:log]\n---\nLead.\n',
  'writer.md':
    '---\nname: writer\nservers: [mail]\nfunction_tools: [tools.ts:count]\nskills: [skills/letters]\n---\nWrite.\n',
  'hooks.ts':
    'export function audit(ctx, args, next) {\n  return next(args);\n}\nexport function log(ctx, args, next) {\n  return next(args);\n}\n',
  'tools.ts': 'export function count() {\n  return 1;\n}\n',
  'skills/letters/SKILL.md': '---\nname: letters\ndescription: Letters\n---\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n',
  'callboard.yaml': 'version: 1\nagent_hooks:\n  lead:\n    - redact: { keys: [password] }\n',
  'notes.txt': 'Notes.',
};
const own = { project: 'p', projectName: 'P', isOwn: true, places: ['main draft'], agents: [], isSame: true, runs: 0 };
const needed: PartUses = { uses: [{ ...own, tests: ['noon'] }], grants: 0, earlierRuns: 0, unread: 0 };

/** Opens a project all of whose parts are needed by the test noon. */
function open() {
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: folderOf(files) }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const services = { startRun: async () => ({ ok: true, runId: 'r' }) as const, stopRun: async () => undefined };
  const run = createRunSession(services, createOverlayStore(), async () => true);
  const read: string[] = [];
  const uses = createPartUses(
    async (part) => {
      read.push(partKey(part));
      return needed;
    },
    { name: 'main', version: () => 1 },
  );
  const plain = createCommands(project, run, () => {});
  const { store } = project;
  return {
    select: project.actions.select,
    plain,
    commands: guardedCommands(plain, project, uses),
    uses,
    read,
    folder: () => store.getState().document.folder,
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

const cases: readonly [string, (commands: Commands) => unknown, string, readonly string[]][] = [
  ['an agent', (to) => to.remove(['agent:writer']), 'Delete writer', ['agent writer']],
  ['several nodes', (to) => to.remove(['agent:writer', 'server:mail']), 'Delete 2', ['agent writer', 'server mail']],
  ['the name of an agent', (to) => to.rename('writer', 'author', 'writer.md'), 'Rename writer', ['agent writer']],
  ['the name of a server', (to) => to.renameServer('mail', 'post'), 'Rename mail', ['server mail']],
  ['a hook', (to) => to.removeHook('lead.md', 'tool_hooks.0'), 'Remove hook audit', ['hook hooks.ts:audit']],
  ['a hook without code', (to) => to.removeHook('lead.md', 'agent_hooks.0'), 'Remove hook redact', ['hook redact']],
  [
    'a file of hooks',
    (to) => to.deleteFiles(['hooks.ts'], 'hooks.ts'),
    'Delete hooks.ts',
    ['hook hooks.ts:audit', 'hook hooks.ts:log'],
  ],
  ['a skill', (to) => to.deleteFiles(['skills/letters/SKILL.md'], 'skills/'), 'Delete skills/', ['skill letters']],
  ['a card', (to) => to.deleteFiles(['writer.md'], 'writer.md'), 'Delete writer.md', ['agent writer']],
  ['the path of tools', (to) => to.renameFile('tools.ts', 'more.ts'), 'Rename tools.ts', ['tool tools.ts:count']],
  [
    'the folder of tools',
    (to) => to.moveFiles(new Map([['tools.ts', 'lib/tools.ts']]), 'Move tools.ts'),
    'Move tools.ts',
    ['tool tools.ts:count'],
  ],
];

test.each(cases)('%s changes only after the person was asked', async (_, change, label, parts) => {
  const { commands, uses, read, folder } = open();
  const before = folder();
  change(commands);
  await settle();
  expect(read).toEqual(parts);
  expect(uses.store.getState().asked?.label).toBe(label);
  expect(folder()).toBe(before);
  uses.actions.answer(false);
  expect(folder()).toBe(before);
  change(commands);
  uses.actions.answer(true);
  const changed = folder();
  expect(changed).not.toBe(before);
  const { plain: unasked, folder: other } = open();
  change(unasked);
  expect([...changed]).toEqual([...other()]);
});

test('a change that removes or renames no part asks nothing', () => {
  const { commands, uses, read, folder } = open();
  commands.rename('writer', ' writer ', 'writer.md');
  commands.renameServer('mail', 'mail');
  commands.renameFile('lead.md', 'cards/lead.md');
  commands.deleteFiles(['notes.txt'], 'notes.txt');
  expect([read, uses.store.getState().asked, folder().has('notes.txt')]).toEqual([[], undefined, false]);
  expect(folder().has('cards/lead.md')).toBe(true);
});

test('a hook that moved during the question is not removed, and no other one either', async () => {
  const { plain, commands, uses, folder } = open();
  commands.removeHook('lead.md', 'tool_hooks.0');
  await settle();
  plain.moveHook('lead.md', 'tool_hooks.0', 2);
  const moved = folder();
  uses.actions.answer(true);
  expect(folder()).toBe(moved);
});

test('a cut copies at once, and removes only after the person was asked', async () => {
  const { select, commands, uses, folder } = open();
  select(['agent:writer']);
  expect(commands.cut()).toContain('writer.md');
  await settle();
  expect([uses.store.getState().asked?.label, folder().has('writer.md')]).toEqual(['Delete writer', true]);
  uses.actions.answer(true);
  expect(folder().has('writer.md')).toBe(false);
});

test('a change that follows a removal waits for its question', async () => {
  const { commands, uses } = open();
  const seen: string[] = [];
  commands.remove(['agent:writer'], () => seen.push('removed'));
  await settle();
  expect(seen).toEqual([]);
  uses.actions.answer(true);
  expect(seen).toEqual(['removed']);
});

test('a change that follows a new name waits for its question', async () => {
  const { commands, uses } = open();
  const seen: string[] = [];
  commands.rename('writer', 'author', 'writer.md', () => seen.push('agent'));
  commands.renameServer('mail', 'post', () => seen.push('server'));
  await settle();
  expect(seen).toEqual([]);
  uses.actions.answer(true);
  await settle();
  expect(seen).toEqual(['agent']);
  uses.actions.answer(true);
  expect(seen).toEqual(['agent', 'server']);
});
