import { describe, expect, it } from 'vitest';
import { columnsOfSpans, randomSpans, type SpanRow } from '@/lib/testing/random-columns';
import { seededRandom } from '@/lib/testing/seeded-random';
import { criticalPath, type PathSegment } from './critical-path';
import { type WorkTree, workTree } from './work-tree';

const pathOf = (rows: readonly SpanRow[], length?: number) => criticalPath(workTree(columnsOfSpans(rows, length)));

describe('critical path', () => {
  it('goes back from the end through the step that ended last each time', () => {
    const path = pathOf([
      [-1, 0, 100],
      [0, 0, 10],
      [0, 10, 50],
      [0, 12, 80],
      [0, 82, 95],
    ]);
    expect(path.map(({ node, from, to }) => [node, from, to])).toEqual([
      [1, 0, 10],
      [0, 10, 12],
      [3, 12, 80],
      [0, 80, 82],
      [4, 82, 95],
      [0, 95, 100],
    ]);
  });

  it('equals the best of all chains of children on 1,000 random trees', () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const random = seededRandom(seed);
      const rows = randomSpans(random, 1 + random.below(14), 40);
      const tree = workTree(columnsOfSpans(rows));
      expect({ seed, path: criticalPath(tree) }).toEqual({ seed, path: bruteForce(tree) });
    }
  });

  it('covers the whole run without overlap, also when spans are broken', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seededRandom(seed);
      const rows = randomSpans(random, 60, 500);
      const tree = workTree(columnsOfSpans(rows));
      let reached = 0;
      for (const { from, to } of criticalPath(tree)) {
        expect(from).toBe(reached);
        expect(to).toBeGreaterThan(from);
        reached = to;
      }
      expect(reached).toBe(tree.run.length);
    }
  });

  it('takes 5,000 levels and 20,000 children of one parent', () => {
    const deep = Array.from({ length: 5000 }, (_, i): SpanRow => [i - 1, i, 20_000 - i]);
    expect(pathOf(deep)).toHaveLength(9999);
    const wide = Array.from({ length: 20_000 }, (_, i): SpanRow => (i === 0 ? [-1, 0, 20_000] : [0, i - 1, i]));
    expect(pathOf(wide)).toHaveLength(20_000);
  });

  it('takes steps in proportion to the number of children', () => {
    const reads = (children: number) => {
      const rows = Array.from(
        { length: children + 1 },
        (_, i): SpanRow => (i === 0 ? [-1, 0, children] : [0, 0, ((i * 7919) % children) + 1]),
      );
      const columns = columnsOfSpans(rows);
      let count = 0;
      const tree = workTree(columns);
      const end = new Proxy(tree.end, {
        get(array, key) {
          count++;
          return Reflect.get(array, key);
        },
      });
      criticalPath({ ...tree, end });
      return count;
    };
    expect(reads(4000)).toBeLessThan(2.5 * reads(2000));
  });
});

/** Tries every chain of children of a node, and keeps the one that is best from its end backwards. */
function bruteForce(tree: WorkTree): readonly PathSegment[] {
  return segmentsOf(tree, -1, 0, tree.run.length);
}

function segmentsOf(tree: WorkTree, node: number, from: number, to: number): PathSegment[] {
  const inside = childrenOf(tree, node)
    .map((child) => ({
      child,
      from: Math.max(tree.start[child] ?? 0, from),
      to: Math.min(tree.end[child] ?? 0, to),
    }))
    .filter((one) => one.to > one.from);
  const segments: PathSegment[] = [];
  let reached = from;
  for (const link of bestChain(inside)) {
    if (link.from > reached) segments.push({ node, from: reached, to: link.from });
    segments.push(...segmentsOf(tree, link.child, link.from, link.to));
    reached = link.to;
  }
  if (to > reached) segments.push({ node, from: reached, to });
  return segments;
}

interface Link {
  readonly child: number;
  readonly from: number;
  readonly to: number;
}

/** Every chain is a subset whose members do not overlap. The best has the latest ends, then the earliest starts. */
function bestChain(links: readonly Link[]): readonly Link[] {
  let best: readonly Link[] = [];
  for (let subset = 0; subset < 2 ** links.length; subset++) {
    const chain = links.filter((_, i) => (subset >> i) & 1).sort((a, b) => a.from - b.from || a.to - b.to);
    const overlaps = chain.some((link, i) => i > 0 && link.from < (chain[i - 1]?.to ?? 0));
    if (!overlaps && isBetter(chain, best)) best = chain;
  }
  return best;
}

function isBetter(one: readonly Link[], other: readonly Link[]): boolean {
  for (let i = 1; i <= Math.max(one.length, other.length); i++) {
    const [a, b] = [one.at(-i), other.at(-i)];
    if (a === undefined || b === undefined) return a !== undefined;
    const order = b.to - a.to || a.from - b.from || a.child - b.child;
    if (order !== 0) return order < 0;
  }
  return false;
}

function childrenOf(tree: WorkTree, node: number): number[] {
  return Array.from({ length: tree.size }, (_, i) => i).filter((i) => tree.parent[i] === node);
}
