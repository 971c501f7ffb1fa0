import { normaliseName } from '@/lib/cards/agent-name';
import type { CardType } from '@/lib/cards/card';
import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import type { Folder } from '@/lib/cards/folder';
import type { GraphNode, NodeId } from '@/lib/graph/graph';
import { canAllow, canConnect } from '@/lib/graph/rules';
import { type Added, type AddRow, addRows, addRowsAt, canHave } from './add-rows';
import { agentTypeWord } from './graph-words';
import type { Picture } from './picture';

/** What the node picker offers, and what is done when it is chosen. */
export type PickedNode =
  | { readonly pick: 'new'; readonly what: Exclude<Added, 'function' | 'hook'> }
  /** Asks for the name of new code. */
  | { readonly pick: 'code'; readonly what: CodeKind }
  | { readonly pick: 'node' | 'user' | 'worker'; readonly id: NodeId }
  | { readonly pick: 'function' | 'hook'; readonly file: string; readonly name: string };

export interface NodeChoice {
  readonly value: string;
  readonly label: string;
  readonly note?: string;
  readonly group: AddRow['group'] | 'Connect to' | 'Use it in' | 'May call' | 'Function tools' | 'Hooks';
  readonly kind: GraphNode['kind'] | 'note' | 'hook' | 'worker';
  readonly type?: CardType;
  readonly disabled?: boolean;
  readonly picked: PickedNode;
}

/**
 * Returns what can be added to the canvas, in the order in which the picker lists it. With `source`, which is the node where
 * a wire begins, only what that node may have is listed, and nodes that it may be connected to and agents that it may call by
 * name are too. `user` is the agent that a function or a hook would be added to; without one there are none.
 */
export function nodeChoices(
  picture: Picture,
  folder: Folder,
  { source, user }: { readonly source: NodeId | undefined; readonly user: NodeId | undefined },
): readonly NodeChoice[] {
  const code = user === undefined ? [] : functions(picture, folder, user);
  if (source === undefined) return [...addRows.map((row) => newChoice(row, whyNot(picture, user, row.what))), ...code];
  const isAgent = picture.nodes.get(source)?.kind === 'agent';
  return [
    ...addRowsAt(picture, source).map((row) => newChoice(row, undefined)),
    ...(isAgent ? [...oldNodes(picture, source), ...workers(picture, source)] : users(picture, source)),
    ...(user === source ? code : []),
  ];
}

/** Returns why new code cannot be added to the agent that would get it. Other things need no agent. */
function whyNot(picture: Picture, user: NodeId | undefined, what: Added): string | undefined {
  if (what !== 'function' && what !== 'hook') return undefined;
  if (user === undefined) return 'Add an agent first, which will use it.';
  const verdict = canHave(picture, user, what);
  return verdict.ok ? undefined : verdict.reason;
}

function newChoice({ what, label, hint, group }: AddRow, refusal: string | undefined): NodeChoice {
  const isCode = what === 'function' || what === 'hook';
  const isPlain = isCode || what === 'server' || what === 'note';
  return {
    value: `new ${what}`,
    label,
    note: refusal ?? hint,
    group,
    ...(isPlain ? { kind: what } : { kind: 'agent', type: what }),
    ...(refusal === undefined ? {} : { disabled: true }),
    picked: isCode ? { pick: 'code', what } : { pick: 'new', what },
  };
}

/** Returns the agents that may use a server, a function or another thing at which no wire begins. */
function users({ graph, drawn }: Picture, source: NodeId): NodeChoice[] {
  return graph.nodes.flatMap((node) =>
    node.kind === 'agent' && canConnect(graph, drawn, node.id, source).ok
      ? [
          {
            value: `user ${node.id}`,
            label: node.name,
            note: agentTypeWord(node.type),
            group: 'Use it in' as const,
            kind: node.kind,
            type: node.type,
            picked: { pick: 'user' as const, id: node.id },
          },
        ]
      : [],
  );
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
function functions({ graph, drawn, parsed }: Picture, folder: Folder, user: NodeId): NodeChoice[] {
  const shown = new Set(graph.nodes.map(({ id }) => id));
  const used = new Set((graph.chains[user] ?? []).map(({ name }) => name));
  const found = [...parsed.roles.keys()].flatMap((file) => functionsOf(folder, file).map((one) => ({ file, ...one })));
  const picture = { graph, drawn };
  const mayHave = (what: CodeKind) => canHave(picture, user, what).ok;
  const tools = !mayHave('function')
    ? []
    : found.filter(({ file, name, least }) => least !== 3 && !shown.has(`function:${file}:${name}`));
  const hooks = !mayHave('hook')
    ? []
    : found.filter(({ name, least }) => (least === 3 || least === undefined) && !used.has(name));
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

/** Returns typed text as the name of a new agent; `undefined` if no agent can have this name, or one has it already. */
export function newAgentOf({ drawn }: Pick<Picture, 'drawn'>, typed: string): string | undefined {
  const name = normaliseName(typed);
  // `tools.py:add_one` names a function.
  if (name === '' || name.includes(':')) return undefined;
  return drawn.cards.some((card) => card.name === name) ? undefined : name;
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
