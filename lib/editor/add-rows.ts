import type { CardType } from '@/lib/cards/card';
import type { Graph, GraphNode, NodeId } from '@/lib/graph/graph';
import { type ConnectVerdict, canConnect } from '@/lib/graph/rules';
import { workflowKinds } from './agent-kinds';
import type { Picture } from './picture';

/** What a row of *Add* adds. Drag and drop from the side panel carries this word. */
export type Added = CardType | 'server' | 'function' | 'hook' | 'note';

export interface AddRow {
  readonly what: Added;
  readonly label: string;
  /** What it is, in a few words. */
  readonly hint: string;
  /** The name of the command that adds it. */
  readonly command: string;
  readonly group: 'New' | 'Workflows';
  /** Other words that people use for it, in lower case. */
  readonly words: readonly string[];
}

/**
 * Everything that can be added to a graph, in the order in which the picker of the canvas, the menus, the side panel and the
 * palette of commands list it.
 */
export const addRows: readonly AddRow[] = [
  {
    what: 'agent',
    label: 'Agent',
    hint: 'a model with tools and children',
    command: 'Add agent',
    group: 'New',
    words: ['new agent', 'create', 'insert', 'node', 'card'],
  },
  {
    what: 'server',
    label: 'MCP server',
    hint: 'tools of another process',
    command: 'Add MCP server',
    group: 'New',
    words: ['new server', 'create', 'tools', 'connect', 'integration'],
  },
  {
    what: 'function',
    label: 'Function tool',
    hint: 'code that an agent calls',
    command: 'Add function tool',
    group: 'New',
    words: ['new function', 'python', 'typescript'],
  },
  {
    what: 'hook',
    label: 'Hook',
    hint: 'code around the calls of an agent',
    command: 'Add hook',
    group: 'New',
    words: ['new hook', 'guard', 'middleware'],
  },
  {
    what: 'note',
    label: 'Note',
    hint: 'a text beside the nodes',
    command: 'Add note',
    group: 'New',
    words: ['new note', 'comment', 'sticky'],
  },
  ...workflowKinds.map(
    ({ type, label, hint, stem }): AddRow => ({
      what: type,
      label,
      hint,
      command: `Add ${label}`,
      group: 'Workflows',
      words: ['workflow', 'new', 'create', stem, hint.toLowerCase()],
    }),
  ),
];

/** Returns what a word of drag and drop names. */
export function addedOf(word: string): Added | undefined {
  return addRows.find(({ what }) => what === word)?.what;
}

/** Returns the rows that make sense at the end of a wire: what the node where the wire begins may use. */
export function addRowsAt(picture: Picture, source: NodeId): readonly AddRow[] {
  return addRows.filter(({ what }) => canHave(picture, source, what).ok);
}

/** Says whether an agent may have a new thing of this kind, and if not, why. */
export function canHave({ graph, drawn }: Pick<Picture, 'graph' | 'drawn'>, id: NodeId, what: Added): ConnectVerdict {
  if (what === 'note') return { ok: false, reason: 'A note is not wired to anything.' };
  // Code that is not there yet is allowed where any function is. The same holds for the other kinds.
  const made = what === 'hook' ? undefined : newNode(what);
  if (made === undefined) return hookVerdict(graph, id);
  return canConnect({ ...graph, nodes: [...graph.nodes, made] }, drawn, id, made.id);
}

function hookVerdict(graph: Graph, id: NodeId): ConnectVerdict {
  const node = graph.nodes.find((one) => one.id === id);
  if (node?.kind !== 'agent') return { ok: false, reason: 'Hooks belong to an agent.' };
  if (node.missing) return { ok: false, reason: `No card defines '${node.name}' yet. Create the card first.` };
  if (node.type === 'a2a') return { ok: false, reason: `'${node.name}' is a remote agent. It calls no tools here.` };
  return { ok: true };
}

/** Returns a node of this kind without wires, to ask the rules about. No card has its name, which is empty. */
function newNode(what: Exclude<Added, 'hook' | 'note'>): GraphNode {
  const [name, missing] = ['', false];
  switch (what) {
    case 'server':
      return { kind: 'server', id: 'server:', name, transport: 'stdio', missing };
    case 'function':
      return { kind: 'function', id: 'function:', name, file: '', missing };
    default:
      return {
        kind: 'agent',
        id: 'agent:',
        name,
        type: what,
        file: '',
        isDefault: false,
        description: undefined,
        model: undefined,
        missing,
      };
  }
}
