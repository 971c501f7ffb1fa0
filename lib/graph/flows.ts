import type { GraphEdge, NodeId } from './graph';

/**
 * How a task moves between the members of a workflow, which its wires to them do not tell. Derived from the edges, drawn beside
 * them, never written to a card.
 *
 *     chain                parallel                     evaluator_optimizer
 *     ──1─▶ first          ║──▶ left ──┐                ──▶ generator
 *             │ next       ║           ║──▶ fan-in            │ ▲
 *     ──2─▶ second         ║──▶ right ─┘ join           draft ▼ │ feedback
 *                                                       ──▶ evaluator
 */
export interface GraphFlow {
  readonly id: string;
  readonly kind: 'next' | 'join' | 'draft' | 'feedback';
  readonly source: NodeId;
  readonly target: NodeId;
  /** The edge that a click on the flow selects. */
  readonly edge: string;
  /** A few words beside the flow. */
  readonly label: string | undefined;
  /** The position among the answers of a `join` and their number, so that they are spread on the gate. */
  readonly place?: { readonly index: number; readonly of: number };
}

/** Returns the flows of all workflows, in the order of their edges. */
export function flowsOf(edges: readonly GraphEdge[]): readonly GraphFlow[] {
  return [...byWorkflow(edges).values()].flatMap((own) => [...steps(own), ...joins(own), ...loop(own)]);
}

/** Returns the edges from each workflow to its members. */
function byWorkflow(edges: readonly GraphEdge[]): ReadonlyMap<NodeId, GraphEdge[]> {
  const owners = new Map<NodeId, GraphEdge[]>();
  for (const edge of edges) {
    if (!flowing.has(edge.kind)) continue;
    const own = owners.get(edge.source);
    if (own === undefined) owners.set(edge.source, [edge]);
    else own.push(edge);
  }
  return owners;
}

const flowing: ReadonlySet<GraphEdge['kind']> = new Set(['sequence', 'fan_out', 'fan_in', 'generator', 'evaluator']);

function steps(own: readonly GraphEdge[]): GraphFlow[] {
  const sequence = own.filter(({ kind }) => kind === 'sequence');
  return sequence.slice(1).flatMap((edge, index) => {
    const before = sequence[index];
    if (before === undefined || before.target === edge.target) return [];
    const label = edge.marks.includes('cumulative') ? 'all answers so far' : undefined;
    return [flow('next', edge, before.target, edge.target, label)];
  });
}

function joins(own: readonly GraphEdge[]): GraphFlow[] {
  const gate = own.find(({ kind }) => kind === 'fan_in');
  if (gate === undefined) return [];
  const branches = own.filter(({ kind, target }) => kind === 'fan_out' && target !== gate.target);
  return branches.map((branch, index) => ({
    ...flow('join', gate, branch.target, gate.target, undefined),
    id: `join:${branch.id}`,
    place: { index, of: branches.length },
  }));
}

function loop(own: readonly GraphEdge[]): GraphFlow[] {
  const generator = own.find(({ kind }) => kind === 'generator');
  const evaluator = own.find(({ kind }) => kind === 'evaluator');
  if (generator === undefined || evaluator === undefined || generator.target === evaluator.target) return [];
  const limit = [...evaluator.marks, ...generator.marks.map(shorter)].join(', ');
  return [
    flow('draft', generator, generator.target, evaluator.target, undefined),
    flow('feedback', evaluator, evaluator.target, generator.target, limit === '' ? undefined : limit),
  ];
}

/** Returns the limit of a loop as it is written on the loop: `≤ 3×` for `≤ 3 refinements`. */
function shorter(mark: string): string {
  return mark.replace(/ refinements?$/, '×');
}

function flow(
  kind: GraphFlow['kind'],
  edge: GraphEdge,
  source: NodeId,
  target: NodeId,
  label: string | undefined,
): GraphFlow {
  return { id: `${kind}:${edge.id}`, kind, source, target, edge: edge.id, label };
}
