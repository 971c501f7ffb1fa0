import type { Issue } from '@/lib/base/issue';
import type { AgentCard } from '@/lib/cards/card';
import { dialects } from '@/lib/cards/dialects/list';
import { parentOf, settingsName } from '@/lib/cards/file-role';
import { isFixtureFile } from '@/lib/cards/fixture-files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { cardWithoutHooksOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { relativePath } from '@/lib/cards/references';
import { removeForeignCode, removeHooksOff } from './card-edits';
import { CardText } from './card-text';
import type { ExportNote, ExportReport } from './export-report';
import { type ChainOfCard, writeAdapter } from './hook-adapter';
import { leftOutSettings } from './left-out-settings';

/**
 * Makes a copy of a folder that the released loader of fast-agent accepts, and a report on what it could not export.
 *
 *     agent-cards/a.md   tool_hooks: [h.py:audit]      ▶  tool_hooks: {before_tool_call: callboard_hooks.py:a_before…, …}
 *                                                         agent-cards/callboard_hooks.py runs the list (./adapter-code)
 *     agent-cards/b.md   function_tools: [t.ts:add]    ▶  function_tools: []   and a note: TypeScript is not portable
 *     a hook that is switched off                      ▶  left out, and a note
 *     callboard.yaml                                   ▶  left out, each of its options noted
 *     tests/*.fixture.yaml, tests/*.recording.jsonl    ▶  left out
 *     everything else                                  ▶  byte for byte
 *
 * The same folder gives the same bytes. Never throws: a text that cannot be changed in place stays, and is reported.
 */
export function exportForFastAgent(folder: Folder): { readonly folder: Folder; readonly report: ExportReport } {
  const parsed = readFolder(folder);
  const files = new Map<string, FolderFile>(folder);
  const notes: ExportNote[] = [];
  files.delete(settingsName);
  for (const path of folder.keys()) if (isFixtureFile(path)) files.delete(path);
  notes.push(...leftOutSettings(folder, parsed.cards));

  const chains = new Map<string, ChainOfCard[]>();
  const texts = new Map<string, CardText>();
  for (const card of parsed.cards) {
    const file = folder.get(card.file);
    if (card.type !== 'agent' || file?.kind !== 'text') continue;
    const text = new CardText(folder, card.file, file.text);
    texts.set(card.file, text);
    const runs = cardWithoutHooksOff(card, parsed.settings);
    removeHooksOff(card, runs, text);
    removeForeignCode(card, runs, text);
    const chain = chainOf(runs);
    if (chain === undefined) continue;
    const at = parentOf(card.file);
    chains.set(at, [...(chains.get(at) ?? []), chain]);
  }
  for (const [at, some] of chains) addAdapter(files, at, some, texts);
  for (const [path, text] of texts) {
    notes.push(...text.notes);
    if (text.isChanged) files.set(path, { kind: 'text', text: text.text });
  }
  notes.push(...spellingNotes(folder, [...chains.values()].flat()));
  notes.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const problems = [
    ...readFolder(files).issues.filter(isRefused),
    ...brokenHooks(parsed.issues, chains),
    ...agentsNotLoaded(parsed),
  ];
  return { folder: files, report: { notes, problems } };
}

/** Files of another program are copied as they are, and fast-agent does not read them as cards. */
function agentsNotLoaded({ dialect, cards }: ParsedFolder): readonly Issue[] {
  const own = dialects.find(({ id }) => id === dialect);
  if (own === undefined) return [];
  return cards.map(({ file, name }) => {
    const text = `Agent '${name}' is written for ${own.name}, and fast-agent does not load it. Write it as an AgentCard to use it there.`;
    return makeIssue('dialect-not-exported', { file, line: 1, column: 1, agent: name }, text);
  });
}

/** Returns the Python hooks in the list of a card. Returns `undefined` when there are none. */
function chainOf(card: AgentCard): ChainOfCard | undefined {
  if (card.toolHooks.form !== 'chain') return undefined;
  const hooks = card.toolHooks.chain.flatMap((hook) => {
    const spec = `${relativePath(card.file, hook.file)}:${hook.functionName}`;
    return hook.file.endsWith('.py') ? [{ ...hook, spec }] : [];
  });
  return hooks.length === 0 ? undefined : { card, hooks };
}

function addAdapter(
  files: Map<string, FolderFile>,
  at: string,
  chains: readonly ChainOfCard[],
  texts: ReadonlyMap<string, CardText>,
): void {
  const inFolder = (name: string) => (at === '' ? name : `${at}/${name}`);
  let name = 'callboard_hooks.py';
  for (let count = 2; files.has(inFolder(name)); count++) name = `callboard_hooks_${count}.py`;
  const up = at === '' ? '.' : at.replace(/[^/]+/g, '..');
  const adapter = writeAdapter(chains, up);
  files.set(inFolder(name), { kind: 'text', text: adapter.text });
  for (const { card, hooks } of chains) {
    const names = adapter.names.get(card.file);
    const text = texts.get(card.file);
    if (names === undefined || text === undefined) continue;
    const phases = { before_tool_call: `${name}:${names.before}`, after_tool_call: `${name}:${names.after}` };
    const what = hooks.length === 1 ? 'The hook of tool_hooks runs' : `The ${hooks.length} hooks of tool_hooks run`;
    text.set(['tool_hooks'], phases, {
      kind: 'moved',
      message: `${what} in ${inFolder(name)}, in the same order. All calls of a batch wait until each has reached its tool.`,
    });
  }
}

/** True for an issue with which fast-agent rejects the folder. */
function isRefused(issue: Issue): boolean {
  if (issue.stage === 'callboard') return false;
  return issue.severity === 'error' || issue.code === 'hook-list' || issue.code === 'code-not-python';
}

/**
 * Returns the issues of hooks that the adapter imports. The checker cannot see them, because the exported cards name the
 * adapter.
 */
function brokenHooks(issues: readonly Issue[], chains: ReadonlyMap<string, readonly ChainOfCard[]>): readonly Issue[] {
  const files = new Set([...chains.values()].flat().map(({ card }) => card.file));
  return issues.filter(
    (issue) => issue.code.startsWith('hook-') && issue.severity === 'error' && files.has(issue.file),
  );
}

const wireNames = /\.(isError|structuredContent|mimeType)\b/;

/** Returns notes on attributes that do not exist in version 2 of Python's MCP types, which fast-agent 0.10 uses. */
function spellingNotes(folder: Folder, chains: readonly ChainOfCard[]): readonly ExportNote[] {
  const files = new Set(chains.flatMap(({ hooks }) => hooks.map((hook) => hook.file)));
  return [...files].sort().flatMap((path): readonly ExportNote[] => {
    const file = folder.get(path);
    if (file?.kind !== 'text') return [];
    return file.text.split('\n').flatMap((line, index): readonly ExportNote[] => {
      const name = wireNames.exec(line)?.[1];
      if (name === undefined) return [];
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const message = `fast-agent's results have '${snake}', not '${name}'. Callboard knows both: write '${snake}'.`;
      return [{ kind: 'differs', file: path, line: index + 1, message }];
    });
  });
}
