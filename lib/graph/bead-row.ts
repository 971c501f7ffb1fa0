import { oncePer } from '@/lib/base/once-per';
import type { Graph, NodeId } from './graph';
import type { ChainEntry } from './hook-chain';

/**
 * How a hook chain is drawn between an agent and its tools, in canvas units. Beads have names while there is room. If not all
 * fit, the last one stands for the rest (`+n`).
 *
 *     agent ─┤ gap │ audit │ gap │ clamp │ gap │ +2 │ tail ├── wires
 */
export interface BeadRow {
  readonly shown: readonly ChainEntry[];
  /** False if the beads are circles, without names. */
  readonly named: boolean;
  readonly hidden: number;
  readonly width: number;
}

/** The gap before each bead, with room for the button that adds a hook there. */
export const beadGap = 12;
/** Room behind the last bead: for the button that adds a hook, and beside it for the grip of the wires. */
const tail = 28;
const roundBead = 20;
const restBead = 30;
const leastName = 52;
const mostName = 112;

/** The width of a chain that nothing limits. */
export const wide = 520;
/** That of an agent without tools, whose chain wraps no call yet. */
const narrow = 104;

/** The room for the word at a hook that is switched off. */
const offWord = 22;

/** Returns the width of a bead with its name. A longer name is cut. */
export function beadWidth({ name, off }: Pick<ChainEntry, 'name' | 'off'>): number {
  return Math.round(Math.min(mostName, Math.max(leastName, 30 + name.length * 6.4))) + (off ? offWord : 0);
}

export function beadRow(chain: readonly ChainEntry[], room: number): BeadRow {
  if (chain.length === 0) return { shown: [], named: true, hidden: 0, width: 0 };
  const named = fitting(chain, room, beadWidth);
  // Round beads say more than a single name beside a large number.
  if (named.shown.length === chain.length || named.shown.length > 1) return { ...named, named: true };
  const round = fitting(chain, room, () => roundBead);
  return { ...round, named: false };
}

function fitting(chain: readonly ChainEntry[], room: number, widthOf: (entry: ChainEntry) => number) {
  const whole = chain.reduce((sum, entry) => sum + beadGap + widthOf(entry), 0);
  if (whole + tail <= room) return { shown: chain, hidden: 0, width: whole + tail };
  let width = 0;
  let count = 0;
  for (const entry of chain) {
    const next = width + beadGap + widthOf(entry);
    if (next + beadGap + restBead + tail > room) break;
    width = next;
    count++;
  }
  return { shown: chain.slice(0, count), hidden: chain.length - count, width: width + beadGap + restBead + tail };
}

/** Returns the room for the chain of an agent where a layout decides about it. */
export function usualRoom(graph: Graph, id: NodeId): number {
  return targetsOf(graph).has(id) ? wide : narrow;
}

/** The length of wire that stays visible between a chain and the nearest node. */
export const leastWire = 28;

/** Returns the room for the chain of an agent up to the nearest node that it uses. `right` is the right edge of the agent. */
export function roomAt(
  graph: Graph,
  id: NodeId,
  right: number,
  points: Readonly<Record<NodeId, { readonly x: number }>>,
): number {
  let room = usualRoom(graph, id);
  for (const target of targetsOf(graph).get(id) ?? []) {
    const x = points[target]?.x ?? right;
    if (x > right) room = Math.min(room, x - right - leastWire);
  }
  return Math.max(room, 0);
}

const targetsOf = oncePer((graph: Graph) => {
  const targets = new Map<NodeId, NodeId[]>();
  for (const { source, target } of graph.edges) {
    const known = targets.get(source);
    if (known === undefined) targets.set(source, [target]);
    else known.push(target);
  }
  return targets;
});
