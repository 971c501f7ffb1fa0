import { parseModel } from '@/lib/cards/models/model-string';
import type { EdgeKind, GraphEdge, GraphNode, NodeId, WorkerFace } from '@/lib/graph/graph';

/** Returns what a screen reader says for a node, such as `writer, agent`. */
export function nodeLabel(node: GraphNode): string {
  switch (node.kind) {
    case 'agent':
      return `${node.name}, ${node.missing ? 'missing agent' : agentWords(node)}`;
    case 'server':
      return `${node.name}, MCP server${node.missing ? ', not configured' : ''}`;
    case 'function':
      return `${node.name}, function tool${node.missing ? ', file missing' : ''}`;
    case 'builtin':
      return `${node.name}, built-in tool`;
  }
}

/** Returns the kind of an agent, and how a workflow uses its members: `chain · 3 steps in order`. */
export function agentWords({ type, workflow }: Pick<AgentNode, 'type' | 'workflow'>): string {
  const word = agentTypeWord(type);
  return workflow?.words === undefined ? word : `${word} · ${workflow.words}`;
}

type AgentNode = Extract<GraphNode, { kind: 'agent' }>;

/** Returns a model without its provider and its options: `gpt-5` of `openai.gpt-5?reasoning=high`. */
export function shortModel(model: string): string {
  const parsed = parseModel(model);
  return parsed.ok ? (parsed.value.model.split('/').at(-1) ?? model) : model;
}

export function agentTypeWord(type: string): string {
  if (type === 'a2a') return 'remote';
  return type === 'MAKER' ? type : type.replaceAll('_', ' ');
}

/** Returns a short word for the kind of an edge, or `undefined` for delegation and use, which have looks of their own. */
export function edgeWord(kind: EdgeKind): string | undefined {
  return kind === 'delegation' || kind === 'uses' ? undefined : kind.replace('_', ' ');
}

/**
 * Returns the words on a wire, the most important first. A kind that has numbers, dots or a sign at its start needs no word. The
 * limits of an evaluator loop are on the loop, and those of a vote are on its node.
 */
export function wireWords({ kind, marks }: Pick<GraphEdge, 'kind' | 'marks'>): readonly string[] {
  switch (kind) {
    case 'sequence':
      return [];
    case 'generator':
    case 'evaluator':
    case 'worker':
      return [kind];
    case 'fan_in':
      return ['fan-in', ...marks];
    case 'may_call':
      return ['may call', ...marks];
    default:
      return marks;
  }
}

/** Returns what a screen reader says for an edge, such as `delegation from lead to writer`. */
export function edgeLabel(edge: Pick<GraphEdge, 'kind' | 'source' | 'target'>): string {
  const [source, target] = [nameOf(edge.source), nameOf(edge.target)];
  if (edge.kind === 'may_call') return `permission of ${source} to call ${target}`;
  return `${edge.kind.replace('_', ' ')} from ${source} to ${target}`;
}

/** Explains a wire whose look says too little. `undefined` for the others. */
export function wireHint({ kind, source, target, marks }: GraphEdge): string | undefined {
  if (kind !== 'may_call') return undefined;
  const [caller, worker] = [nameOf(source), nameOf(target)];
  const how = marks.includes('as a tool')
    ? 'as a tool of its own'
    : `with worker_call${marks.includes('also a tool') ? ', or as a tool of its own' : ''}`;
  return `${caller} may call ${worker} ${how}. ${worker} is not one of its children.`;
}

/** Explains what the lists of workers of an agent allow that no wire shows. */
export function workersHint({ everyone, creates }: WorkerFace): string {
  return [
    ...(everyone ? ['May call every agent of the project with worker_call.'] : []),
    ...(creates ? ['May create agents during a run with worker_create.'] : []),
  ].join(' ');
}

function nameOf(id: NodeId): string {
  return id.slice(id.indexOf(':') + 1);
}
