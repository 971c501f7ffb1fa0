import type { CardType } from '@/lib/cards/card';
import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import type { Folder } from '@/lib/cards/folder';
import type { GraphNode, NodeId } from '@/lib/graph/graph';
import { canAllow, canConnect } from '@/lib/graph/rules';
import { workflowKinds } from './agent-kinds';
import { agentTypeWord } from './graph-words';
import type { Picture } from './picture';

/** What the node picker offers, and what is done when it is chosen. */
export type PickedNode =
  | { readonly pick: 'agent'; readonly type: CardType }
  | { readonly pick: 'server' }
  | { readonly pick: 'note' }
  | { readonly pick: 'node' | 'worker'; readonly id: NodeId }
  | { readonly pick: 'function' | 'hook'; readonly file: string; readonly name: string };

export interface NodeChoice {
  readonly value: string;
  readonly label: string;
  readonly note?: string;
  readonly group: 'New' | 'Connect to' | 'May call' | 'Function tools' | 'Hooks';
  readonly kind: GraphNode['kind'] | 'note' | 'hook' | 'worker';
  readonly type?: CardType;
  readonly picked: PickedNode;
}

/**
 * Returns what can be added to the canvas, in the order in which the picker lists it. With `source`, which is the node where
 * a wire begins, nodes that it may be connected to and agents that it may call by name are listed too, and notes are not. `user` is the agent that a function or
 * a hook would be added to; without one there are none.
 */
export function nodeChoices(
  picture: Picture,
  folder: Folder,
  { source, user }: { readonly source: NodeId | undefined; readonly user: NodeId | undefined },
): readonly NodeChoice[] {
  return [
    ...newNodes(source === undefined),
    ...(source === undefined ? [] : [...oldNodes(picture, source), ...workers(picture, source)]),
    ...(user === undefined ? [] : functions(picture, folder, user)),
  ];
}

function newNodes(withNote: boolean): NodeChoice[] {
  const agents = [
    { type: 'agent' as const, label: 'Agent', hint: 'a model with tools and children' },
    ...workflowKinds,
  ];
  return [
    ...agents.map(
      ({ type, label, hint }): NodeChoice => ({
        value: `new ${type}`,
        label,
        note: hint,
        group: 'New',
        kind: 'agent',
        type,
        picked: { pick: 'agent', type },
      }),
    ),
    {
      value: 'new server',
      label: 'MCP server',
      note: 'tools of another process',
      group: 'New',
      kind: 'server',
      picked: { pick: 'server' },
    },
    ...(withNote
      ? [
          {
            value: 'new note',
            label: 'Note',
            note: 'a text beside the nodes',
            group: 'New',
            kind: 'note',
            picked: { pick: 'note' },
          } as const,
        ]
      : []),
  ];
}

function oldNodes({ graph, drawn }: Picture, source: NodeId): NodeChoice[] {
  return graph.nodes
    .filter((node) => node.id !== source && canConnect(graph, drawn, source, node.id).ok)
    .map((node) => ({
      value: node.id,
      label: node.name.replace('human_input', 'human input'),
      note: kindWords(node),
      group: 'Connect to',
      kind: node.kind,
      ...(node.kind === 'agent' ? { type: node.type } : {}),
      picked: { pick: 'node', id: node.id },
    }));
}

/** Returns the agents that the source may get as workers, which it calls by name. */
function workers({ graph, drawn }: Picture, source: NodeId): NodeChoice[] {
  return graph.nodes
    .filter((node) => node.kind === 'agent' && canAllow(graph, drawn, source, node.id).ok)
    .map((node) => ({
      value: `worker ${node.id}`,
      label: node.name,
      note: 'by name, with worker_call',
      group: 'May call',
      kind: 'worker',
      picked: { pick: 'worker', id: node.id },
    }));
}

function kindWords(node: GraphNode): string {
  switch (node.kind) {
    case 'agent':
      return agentTypeWord(node.type);
    case 'server':
      return 'MCP server';
    case 'function':
      return `function of ${node.file}`;
    case 'builtin':
      return 'built-in';
  }
}

/**
 * Returns the functions of the code files, as tools and as hooks. Tools that are nodes already are not listed again. A function
 * with three parameters is a hook, `(ctx, args, next)`; one whose parameters cannot be counted may be either.
 */
function functions({ graph, parsed }: Picture, folder: Folder, user: NodeId): NodeChoice[] {
  const shown = new Set(graph.nodes.map(({ id }) => id));
  const used = new Set((graph.chains[user] ?? []).map(({ name }) => name));
  const found = [...parsed.roles.keys()].flatMap((file) => functionsOf(folder, file).map((one) => ({ file, ...one })));
  const tools = found.filter(({ file, name, least }) => least !== 3 && !shown.has(`function:${file}:${name}`));
  const hooks = found.filter(({ name, least }) => (least === 3 || least === undefined) && !used.has(name));
  return [...tools.map((one) => functionChoice('function', one)), ...hooks.map((one) => functionChoice('hook', one))];
}

function functionChoice(pick: 'function' | 'hook', { file, name }: { readonly file: string; readonly name: string }) {
  const group = pick === 'function' ? 'Function tools' : 'Hooks';
  return {
    value: `${pick} ${file}:${name}`,
    label: name,
    note: file,
    group,
    kind: pick,
    picked: { pick, file, name },
  } as const;
}

/** Returns the public functions of a code file. `least` is the least number of arguments, if it is known. */
function functionsOf(folder: Folder, file: string): { readonly name: string; readonly least: number | undefined }[] {
  const language = languageOf(file);
  const text = folder.get(file);
  if (language === undefined || text?.kind !== 'text') return [];
  return [...scanCode(language, text.text).known].flatMap(([name, known]) =>
    known.kind === 'function' && !name.startsWith('_') ? [{ name, least: known.positional?.least }] : [],
  );
}

export type CodeKind = 'function' | 'hook';

/** Returns the kind of code that a search names instead of a function: `function`, `New tool` or `hook`, also half-typed. */
export function askedKind(typed: string): CodeKind | undefined {
  const words = typed
    .trim()
    .toLowerCase()
    .replace(/^new\s+/, '')
    .replace(/s$/, '');
  if (words.length < 3) return undefined;
  if ('function tool'.startsWith(words) || words === 'tool') return 'function';
  return 'hook'.startsWith(words) ? 'hook' : undefined;
}

/** Returns the file and the name of a new function for what is typed: `tools.py:add_one` or `add_one`. */
export function newFunctionOf(
  folder: Folder,
  typed: string,
  kind: CodeKind,
  pythonOff: boolean,
): { readonly file: string; readonly name: string } | undefined {
  const [first = '', second] = typed.split(':').map((part) => part.trim());
  const name = second ?? first;
  const file = second === undefined ? usualCodeFile([...folder.keys()], kind, pythonOff ? 'ts' : 'py') : first;
  if (languageOf(file) === undefined) return undefined;
  return /^[A-Za-z_]\w*$/.test(name) ? { file, name } : undefined;
}

/**
 * Returns the file for new code: one that is named after its kind, in the wanted language if there is one, otherwise a new
 * file at the top of the project.
 */
export function usualCodeFile(paths: readonly string[], kind: CodeKind, wanted: 'py' | 'ts', only = false): string {
  const stem = kind === 'hook' ? 'hooks' : 'tools';
  const endings = only ? [wanted] : [wanted, ...['py', 'ts', 'js'].filter((ending) => ending !== wanted)];
  const named = endings.flatMap((ending) => {
    const fits = paths.filter((path) => path === `${stem}.${ending}` || path.endsWith(`/${stem}.${ending}`));
    return fits.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1)).slice(0, 1);
  });
  return named[0] ?? `${stem}.${wanted}`;
}
