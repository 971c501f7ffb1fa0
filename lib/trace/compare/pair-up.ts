import { alignKeys, placesOf } from './align';

/** One list as keys of several levels: the first says most about an item, the last least. All have the length of the list. */
export type KeyLevels = readonly Int32Array[];

/**
 * Pairs the items of two lists. Items with equal first keys are paired first, in their order; then what is left between two pairs,
 * by the next key. Items with equal first keys that stand in another order are partners too, because what runs in parallel begins
 * in any order. Returns the place in `b` of each item's partner, or -1.
 */
export function pairUp(a: KeyLevels, b: KeyLevels): Int32Array {
  const [firstA, firstB] = [a[0] ?? new Int32Array(), b[0] ?? new Int32Array()];
  const inOrder = alignKeys(firstA, firstB);
  const taken = new Uint8Array(firstB.length);
  for (const place of inOrder) if (place >= 0) taken[place] = 1;
  const moved = pairMoved(firstA, firstB, inOrder, taken);
  for (let level = 1; level < a.length; level++) {
    fillGaps(a[level] ?? firstA, b[level] ?? firstB, inOrder, moved, taken);
  }
  return inOrder.map((place, i) => (place >= 0 ? place : (moved[i] ?? -1)));
}

function pairMoved(a: Int32Array, b: Int32Array, inOrder: Int32Array, taken: Uint8Array): Int32Array {
  const moved = new Int32Array(a.length).fill(-1);
  if (inOrder.every((place) => place >= 0)) return moved;
  const free = b.map((key, place) => (taken[place] === 1 ? -1 : key));
  const places = placesOf(free);
  const used = new Map<number, number>();
  for (let i = 0; i < a.length; i++) {
    const key = a[i] ?? 0;
    if ((inOrder[i] ?? -1) >= 0) continue;
    const count = used.get(key) ?? 0;
    const place = places.get(key)?.[count];
    if (place === undefined) continue;
    used.set(key, count + 1);
    moved[i] = place;
    taken[place] = 1;
  }
  return moved;
}

/** Aligns what has no partner yet between two neighbouring pairs. Adds to `inOrder` and `taken`. */
function fillGaps(a: Int32Array, b: Int32Array, inOrder: Int32Array, moved: Int32Array, taken: Uint8Array): void {
  const [restA, restB]: [number[], number[]] = [[], []];
  let fromB = 0;
  for (let i = 0; i <= a.length; i++) {
    const place = i === a.length ? b.length : (inOrder[i] ?? -1);
    if (place < 0) {
      if ((moved[i] ?? -1) < 0) restA.push(i);
      continue;
    }
    if (restA.length > 0) {
      for (let free = fromB; free < place; free++) if (taken[free] === 0) restB.push(free);
      fillGap(a, b, restA, restB, inOrder, taken);
      restA.length = 0;
      restB.length = 0;
    }
    fromB = place + 1;
  }
}

function fillGap(
  a: Int32Array,
  b: Int32Array,
  restA: readonly number[],
  restB: readonly number[],
  inOrder: Int32Array,
  taken: Uint8Array,
): void {
  if (restB.length === 0) return;
  const found = alignKeys(
    restA.map((i) => a[i] ?? 0),
    restB.map((place) => b[place] ?? 0),
  );
  for (const [n, i] of restA.entries()) {
    const place = restB[found[n] ?? -1];
    if (place === undefined) continue;
    inOrder[i] = place;
    taken[place] = 1;
  }
}
