import { fanGrid, leafFans } from './fans';
import type { Graph, NodeId, Point } from './graph';
import { nodeSize, outletWidth, type Size } from './size';

/**
 * Places a large graph in blocks, in time that grows with its size alone. Each node stands right of the one that uses it
 * first, and a long list of children is folded into columns, so that the whole has about the shape of a screen:
 *
 *                 ┌ child ─ its children ┐ ┌ child … ┐
 *     parent ────▶│ child ─ its children │ │ child … │
 *                 └ …                    ┘ └ …       ┘
 *
 * The same graph gives the same places. Boxes never overlap. Positions are top left corners, and the first is the origin.
 */
export function blockLayout(graph: Graph): Map<NodeId, Point> {
  const items = itemsOf(graph);
  const points = new Map<NodeId, Point>();
  const tree = treeOf(graph, items);
  const whole = packed(tree.roots.map((root) => blockOf(root, tree.children)));
  whole.place({ x: 0, y: 0 }, points);
  return points;
}

/** A box of known size that can place what is inside. */
interface Block {
  readonly size: Size;
  place(at: Point, points: Map<NodeId, Point>): void;
}

/** A node, or all leaves of a fan as one. */
interface Item extends Block {
  readonly id: string;
}

const toChildren = 96;
const between = 28;
const betweenColumns = 72;
/** A column that is higher than this is folded. */
const tallest = 1_400;
/** The ratio of width to height of a folded list. */
const aspect = 1.6;

interface Items {
  readonly list: readonly Item[];
  /** The item of each node. */
  readonly of: ReadonlyMap<NodeId, Item>;
}

function itemsOf(graph: Graph): Items {
  const of = new Map<NodeId, Item>();
  for (const fan of leafFans(graph)) {
    const { size, points: offsets } = fanGrid(graph, fan);
    const item: Item = {
      id: `fan of ${fan.leaves[0]?.id}`,
      size,
      place({ x, y }, points) {
        fan.leaves.forEach(({ id }, index) => {
          const offset = offsets[index] ?? { x: 0, y: 0 };
          points.set(id, { x: Math.round(x + offset.x), y: Math.round(y + offset.y) });
        });
      },
    };
    for (const { id } of fan.leaves) of.set(id, item);
  }
  for (const node of graph.nodes) {
    if (of.has(node.id)) continue;
    const { width, height } = nodeSize(node);
    const size = { width: width + outletWidth(graph, node), height };
    of.set(node.id, {
      id: node.id,
      size,
      place: ({ x, y }, points) => points.set(node.id, { x: Math.round(x), y: Math.round(y) }),
    });
  }
  return { list: [...new Set(graph.nodes.flatMap(({ id }) => of.get(id) ?? []))], of };
}

/** Gives each item to the item that uses it first, counted from the roots. What only a cycle reaches begins a tree too. */
function treeOf(graph: Graph, { list, of }: Items) {
  const targets = new Map<Item, Set<Item>>();
  const used = new Set<Item>();
  for (const { source, target } of graph.edges) {
    const [from, to] = [of.get(source), of.get(target)];
    if (from === undefined || to === undefined || from === to) continue;
    const known = targets.get(from);
    if (known === undefined) targets.set(from, new Set([to]));
    else known.add(to);
    used.add(to);
  }
  const children = new Map<Item, Item[]>();
  const seen = new Set<Item>();
  const roots: Item[] = [];
  const spread = (root: Item) => {
    roots.push(root);
    seen.add(root);
    const queue = [root];
    for (const item of queue) {
      const own = [...(targets.get(item) ?? [])].filter((target) => !seen.has(target));
      for (const target of own) seen.add(target);
      children.set(item, own);
      queue.push(...own);
    }
  };
  for (const item of list) if (!used.has(item)) spread(item);
  for (const item of list) if (!seen.has(item)) spread(item);
  return { roots, children };
}

/** Returns the block of an item with all below it. The tree may be deep, so this does not recurse. */
function blockOf(root: Item, children: ReadonlyMap<Item, readonly Item[]>): Block {
  const order = [root];
  for (const item of order) order.push(...(children.get(item) ?? []));
  const blocks = new Map<Item, Block>();
  for (const item of order.toReversed()) {
    const own = (children.get(item) ?? []).flatMap((child) => blocks.get(child) ?? []);
    blocks.set(item, own.length === 0 ? item : beside(item, packed(own)));
  }
  return blocks.get(root) ?? root;
}

/** Puts an item at the middle of the left side of a block. Beside a high block it is at the top, where the first children are. */
function beside(item: Item, block: Block): Block {
  const middle = block.size.height > tallest / 2 ? 0 : Math.max(0, (block.size.height - item.size.height) / 2);
  const height = Math.max(item.size.height, block.size.height);
  const x = item.size.width + toChildren;
  return {
    size: { width: x + block.size.width, height },
    place(at, points) {
      item.place({ x: at.x, y: at.y + middle }, points);
      block.place({ x: at.x + x, y: at.y + (height - block.size.height) / 2 }, points);
    },
  };
}

/** Puts blocks below each other, in as many columns as give the whole the shape of a screen. */
function packed(blocks: readonly Block[]): Block {
  const [only, ...others] = blocks;
  if (only !== undefined && others.length === 0) return only;
  const height = blocks.reduce((sum, { size }) => sum + size.height + between, -between);
  const width = blocks.reduce((most, { size }) => Math.max(most, size.width), 0);
  const column = height <= tallest ? height : columnHeight(blocks, height, width);
  const places: Point[] = [];
  let [x, y, columnWidth, lowest, right] = [0, 0, 0, 0, 0];
  for (const { size } of blocks) {
    if (y > 0 && y + size.height > column) {
      x += columnWidth + betweenColumns;
      [y, columnWidth] = [0, 0];
    }
    places.push({ x, y });
    y += size.height + between;
    columnWidth = Math.max(columnWidth, size.width);
    lowest = Math.max(lowest, y - between);
    right = Math.max(right, x + columnWidth);
  }
  return {
    size: { width: right, height: lowest },
    place(at, points) {
      blocks.forEach((block, index) => {
        const offset = places[index] ?? { x: 0, y: 0 };
        block.place({ x: at.x + offset.x, y: at.y + offset.y }, points);
      });
    },
  };
}

/** Returns the height of the columns of a folded list, which is at least that of its highest block. */
function columnHeight(blocks: readonly Block[], height: number, width: number): number {
  const wanted = Math.sqrt((height * (width + betweenColumns)) / aspect);
  return blocks.reduce((most, { size }) => Math.max(most, size.height), Math.max(wanted, tallest / 2));
}
