import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { hookChain } from '@/lib/graph/hook-chain';
import { type ClashAnswer, type Merged, mergeSlice } from '@/lib/graph/transfer/merge-slice';
import { type Slice, sliceProject } from '@/lib/graph/transfer/slice-project';

/** Two agents, `lead` and `helper`, with all that can belong to agents, beside another one. */
export const pairFiles = {
  'agent-cards/lead.md': `---
name: lead
default: true
agents: [helper, stranger]
servers: [time]
tools: {time: [get_*]}
tool_hooks: [../hooks.ts:guard]
skills: [skills/style]
---
Ask helper. {{file:rules.md}}
`,
  'agent-cards/helper.md': '---\nname: helper\nfunction_tools: [../tools.ts:add]\n---\nHelp.\n',
  'agent-cards/stranger.md': '---\nname: stranger\nfunction_tools: [../secret.ts:add]\n---\nStay.\n',
  'hooks.ts':
    "import { log } from './log';\nexport async function guard(ctx, args, next) {\n  log(args);\n  return next(args);\n}\n",
  'log.ts': 'export const log = (value: unknown) => value;\n',
  'tools.ts': 'export const add = (args: { a: number }) => args.a + 1;\n',
  'secret.ts': 'export const add = (args: { a: number }) => args.a;\n',
  'rules.md': 'Rules.\n',
  'skills/style/SKILL.md': '---\nname: style\ndescription: Style.\n---\nShort.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: {url: "http://127.0.0.1:9/mcp"}\n    other: {command: other}\n',
  'callboard.yaml': `version: 1
approvals:
  agents: {helper: ask, stranger: deny}
  rules:
    - {tools: [time__*], agents: [lead, stranger], effect: ask}
    - {tools: [agent__helper], effect: ask, limit_s: 60}
    - {tools: [shell*], effect: deny}
delegations:
  lead: {helper: {timeout_ms: 5000}}
  stranger: {helper: {timeout_ms: 9000}}
agent_hooks:
  helper: [audit.ts:note, {clamp: {argument: a, max: 3}}]
hooks:
  ../hooks.ts:guard: {on_error: skip}
  audit.ts:note: {timeout_ms: 100}
external_tools:
  sign: {description: Sign it., agents: [helper, stranger]}
tool_groups:
  lead: {groups: {clock: {tools: [time__*]}}}
scripts:
  helper: [{turns: [{text: done}]}]
canvas:
  notes: [{id: n1, text: Read me., x: 0, y: 0}]
  groups: [{id: g1, title: Pair, members: [agent:lead, agent:helper, note:n1]}]
`,
  'audit.ts': 'export async function note(ctx, args, next) {\n  return next(args);\n}\n',
};
export const source = folderOf(pairFiles);

export const read = (folder: Folder) => ({ folder, parsed: readFolder(folder) });

/** Returns what belongs to the chosen parts of a project. */
export function sliceOf(...chosen: Parameters<typeof sliceProject>): Slice {
  const slice = sliceProject(...chosen);
  if (!slice.ok) throw new Error(slice.error.message);
  return slice.value;
}

/** Returns what belongs to `lead`, `helper` and their note. */
export const pair = () =>
  sliceOf(read(source), new Set(['agent-cards/lead.md', 'agent-cards/helper.md']), new Set(['note:n1']));

/** Pastes the pair into a project. */
export function pastePair(here: Folder, answers?: ReadonlyMap<string, ClashAnswer>): Merged & { folder: Folder } {
  const merged = mergeSlice(read(here), pair(), answers);
  if (!merged.ok) throw new Error(merged.error.message);
  const after = new Map(here);
  for (const [path, file] of merged.value.files) after.set(path, file);
  return { ...merged.value, folder: after };
}

/** Returns the hook chain of an agent. */
export function chainOf(folder: Folder, name: string) {
  const parsed = readFolder(folder);
  const card = parsed.cards.find((one) => one.name === name);
  if (card === undefined) throw new Error(`no ${name}`);
  return hookChain(card, parsed).map(({ spec, missing, policy }) => ({ spec, missing, policy }));
}

/** Copies agents of one project into another one. */
export function pasteCards(there: Record<string, string>, cards: readonly string[], here: Record<string, string>) {
  const paths = new Set(cards.map((name) => `agent-cards/${name}.md`));
  const slice = sliceOf(read(folderOf(there)), paths, new Set());
  const merged = mergeSlice(read(folderOf(here)), slice);
  if (!merged.ok) throw new Error(merged.error.message);
  const after = new Map(folderOf(here));
  for (const [path, file] of merged.value.files) after.set(path, file);
  return { ...merged.value, folder: after, ...readFolder(after) };
}
