/**
 * Aligns two lists in their order, as a diff of two texts aligns lines: pairs never cross.
 *
 *   a   plan  write  write  check          plan ─ plan
 *   b   plan  write  check  write  check   write ─ write,  check only in b,  write ─ write,  check ─ check
 *
 * Equal beginnings and ends are paired at once, so equal lists take linear time. Between them is the longest common
 * subsequence, as long as the lists do not differ in more than `mostChanges` places. Lists that differ more are paired by equal
 * items of the same count (the third `write` with the third), and the longest part of that without crossings is kept: O(n log n).
 */
import { pairCommon } from './common-keys';

const mostChanges = 64;

/** Returns the place in `b` of the partner of each item of `a`; -1 for an item without one. Equal numbers are equal items. */
export function alignKeys(a: ArrayLike<number>, b: ArrayLike<number>): Int32Array {
  const partner = new Int32Array(a.length).fill(-1);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) {
    partner[head] = head;
    head++;
  }
  let endA = a.length;
  let endB = b.length;
  while (endA > head && endB > head && a[endA - 1] === b[endB - 1]) partner[--endA] = --endB;
  if (endA === head || endB === head) return partner;
  const [restA, restB] = [sliceOf(a, head, endA), sliceOf(b, head, endB)];
  const isShort = pairCommon(restA, restB, mostChanges, (i, j) => {
    partner[head + i] = head + j;
  });
  if (!isShort) for (const [i, j] of byCount(restA, restB)) partner[head + i] = head + j;
  return partner;
}

type Pairs = Iterable<readonly [a: number, b: number]>;

function sliceOf(list: ArrayLike<number>, from: number, to: number): Int32Array {
  const part = new Int32Array(to - from);
  for (let i = from; i < to; i++) part[i - from] = list[i] ?? 0;
  return part;
}

function byCount(a: Int32Array, b: Int32Array): Pairs {
  const places = placesOf(b);
  const used = new Map<number, number>();
  const pairs: [number, number][] = [];
  for (const [i, key] of a.entries()) {
    const count = used.get(key) ?? 0;
    const place = places.get(key)?.[count];
    if (place === undefined) continue;
    used.set(key, count + 1);
    pairs.push([i, place]);
  }
  return longestRising(pairs);
}

/** Returns where each item is in a list. */
export function placesOf(list: Iterable<number>): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  let place = 0;
  for (const key of list) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
    place++;
  }
  return places;
}

/** Keeps the longest part of the pairs in which both places rise (patience sorting). The pairs are in the order of `a`. */
function longestRising(pairs: readonly (readonly [number, number])[]): Pairs {
  /** By length: the pair with the lowest place in `b` that ends a rising part of this length. */
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [at, [, place]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  }
  const kept: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) kept.push(pair);
  }
  return kept.reverse();
}
