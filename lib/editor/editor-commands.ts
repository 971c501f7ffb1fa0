import type { ProjectRight } from '@/lib/base/rights';
import { type Added, addRows } from './add-rows';

/** A command of the editor as the command palette lists it. */
export interface EditorCommand {
  readonly id: string;
  readonly name: string;
  /** Keys that do the same; empty if there are none. */
  readonly keys: string;
  /** Other words that people use for it, in lower case. */
  readonly words: readonly string[];
  /** The right in the project that it needs. */
  readonly needs?: ProjectRight;
  /** How many nodes must be selected. */
  readonly selected?: 'one' | 'some';
}

/** The commands of the editor, in the order of the palette. */
export const editorCommands = [
  { id: 'run', name: 'Run', keys: 'Mod+Enter', words: ['start', 'execute', 'play', 'try'], needs: 'run' },
  { id: 'stop', name: 'Stop the run', keys: 'Mod+.', words: ['cancel', 'abort', 'halt', 'end'], needs: 'run' },
  { id: 'save', name: 'Save now', keys: 'Mod+S', words: ['store', 'write'], needs: 'edit' },
  { id: 'undo', name: 'Undo', keys: 'Mod+Z', words: ['back', 'revert', 'step back'], needs: 'edit' },
  { id: 'redo', name: 'Redo', keys: 'Mod+Shift+Z', words: ['forward', 'again', 'repeat'], needs: 'edit' },
  { id: 'add', name: 'Add…', keys: 'N', words: ['insert', 'new', 'create', 'list'], needs: 'edit' },
  { id: 'paste', name: 'Paste', keys: 'Mod+V', words: ['clipboard', 'insert', 'bring', 'mcpservers'], needs: 'edit' },
  { id: 'rename', name: 'Rename selection', keys: 'F2', words: ['name', 'call'], needs: 'edit', selected: 'one' },
  {
    id: 'remove',
    name: 'Delete selection',
    keys: 'Delete',
    words: ['remove', 'erase', 'bin'],
    needs: 'edit',
    selected: 'some',
  },
  {
    id: 'tryTool',
    name: 'Try a tool…',
    keys: '',
    words: ['bench', 'call', 'test', 'function', 'mcp', 'playground', 'arguments'],
    needs: 'edit',
  },
  { id: 'find', name: 'Find in the project', keys: 'Mod+F', words: ['search', 'grep', 'text', 'look for'] },
  { id: 'showRun', name: 'Show the run', keys: '', words: ['dock', 'message', 'output', 'answer', 'result'] },
  {
    id: 'showProblems',
    name: 'Show problems',
    keys: '',
    words: ['errors', 'warnings', 'issues', 'lint', 'faults', 'dock'],
  },
  {
    id: 'showFiles',
    name: 'Show files',
    keys: '',
    words: ['folder', 'tree', 'explorer', 'new file', 'upload', 'dock'],
  },
  {
    id: 'showTrust',
    name: 'Show what this folder starts or calls',
    keys: '',
    words: ['trust', 'permissions', 'security', 'confirm', 'capabilities', 'commands'],
  },
  { id: 'showKeys', name: 'All keys', keys: '?', words: ['shortcuts', 'hotkeys', 'keyboard', 'help', 'cheat sheet'] },
  { id: 'tour', name: 'Take the tour', keys: '', words: ['help', 'introduction', 'guide', 'tutorial', 'onboarding'] },
] as const satisfies readonly EditorCommand[];

export type EditorCommandId = (typeof editorCommands)[number]['id'];

/** The commands that add one thing, in the order of every list of them. */
export const addingCommands: readonly (EditorCommand & { readonly what: Added })[] = addRows.map(
  ({ what, command, words }) => ({ id: `add ${what}`, what, name: command, keys: '', words, needs: 'edit' }),
);

/** The commands that the canvas does while it is shown. Each has the id of what its key does there. */
export const canvasCommands = [
  { id: 'open', name: 'Open the card', keys: 'Enter', words: ['edit', 'text', 'source'], selected: 'one' },
  {
    id: 'duplicate',
    name: 'Duplicate selection',
    keys: 'Mod+D',
    words: ['copy', 'clone'],
    needs: 'edit',
    selected: 'some',
  },
  {
    id: 'tidy',
    name: 'Tidy',
    keys: 'Shift+L',
    words: ['lay out', 'layout', 'arrange', 'clean up', 'align', 'format', 'auto layout', 'sort'],
    needs: 'edit',
  },
  { id: 'group', name: 'Group selection', keys: 'Mod+G', words: ['frame', 'collect'], needs: 'edit', selected: 'some' },
  { id: 'select-all', name: 'Select all', keys: 'Mod+A', words: ['everything', 'mark'] },
  { id: 'fit', name: 'Fit the graph', keys: '1', words: ['zoom', 'whole', 'overview', 'center', 'reset view'] },
  { id: 'fit-selection', name: 'Fit the selection', keys: '2', words: ['zoom', 'center', 'focus'], selected: 'some' },
] as const satisfies readonly EditorCommand[];

/** Returns whether a command can be given now. */
export function isPossible(
  { needs, selected }: EditorCommand,
  rights: readonly ProjectRight[],
  selection: number,
): boolean {
  if (needs !== undefined && !rights.includes(needs)) return false;
  return selected === undefined || (selected === 'one' ? selection === 1 : selection > 0);
}
