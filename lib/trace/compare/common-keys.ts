/**
 * The longest common subsequence of two lists of numbers that differ in few places: E. W. Myers, "An O(ND) Difference Algorithm
 * and Its Variations" (1986). It walks a grid in which a step right leaves out an item of `a`, a step down leaves out one of `b`,
 * and a diagonal step pairs two equal items. A diagonal is named by x − y.
 *
 *          a  b  c             reach[round][diagonal] is the largest x to which so many
 *       b  ·  ╲  ·             steps right and down lead on a diagonal
 *       c  ·  ·  ╲
 *
 * It works on plain arrays of numbers: a run has 100,000 steps, and a general library makes objects for each of them.
 */

/** Calls `pair` for each pair of places, the last first. Returns false if the lists differ in more than `most` places. */
export function pairCommon(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  most: number,
  pair: (placeA: number, placeB: number) => void,
): boolean {
  const rounds = reachEnd(a, b, most);
  if (rounds === undefined) return false;
  let [x, y] = [a.length, b.length];
  for (let round = rounds.length - 1; round >= 0; round--) {
    const before = rounds[round - 1];
    const startX = before === undefined ? 0 : enterAt(before, x - y, round);
    const startY = before === undefined ? 0 : startX - (x - y);
    while (x > startX && y > startY) pair(--x, --y);
    if (before === undefined) break;
    if (cameDown(before, x - y, round)) y--;
    else x--;
  }
  return true;
}

/** How far each diagonal was reached in each round, up to the one that reached the end. Diagonal k is at place k + `round`. */
type Round = Int32Array;

function reachEnd(a: ArrayLike<number>, b: ArrayLike<number>, most: number): readonly Round[] | undefined {
  const rounds: Round[] = [];
  const end = a.length - b.length;
  if (Math.abs(end) > most) return undefined;
  for (let round = 0; round <= most; round++) {
    const reach = new Int32Array(2 * round + 1).fill(-1);
    const before = rounds[round - 1];
    rounds.push(reach);
    for (let diagonal = -round; diagonal <= round; diagonal += 2) {
      let x = before === undefined ? 0 : enterAt(before, diagonal, round);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach[diagonal + round] = x;
      if (diagonal === end && x >= a.length) return rounds;
    }
  }
  return undefined;
}

/** Returns the x at which a round comes to a diagonal, before its diagonal steps. */
function enterAt(before: Round, diagonal: number, round: number): number {
  return cameDown(before, diagonal, round)
    ? (before[diagonal + 1 + round - 1] ?? 0)
    : (before[diagonal - 1 + round - 1] ?? 0) + 1;
}

/** True if a round came to a diagonal by leaving out an item of `b`. */
function cameDown(before: Round, diagonal: number, round: number): boolean {
  if (diagonal === -round) return true;
  if (diagonal === round) return false;
  return (before[diagonal - 1 + round - 1] ?? 0) < (before[diagonal + 1 + round - 1] ?? 0);
}
