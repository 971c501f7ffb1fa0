/**
 * True if a name matches a pattern of `*` (any characters) and `?` (one character). It backtracks to the last star only, so
 * its time is at most proportional to the product of both lengths.
 */
export function fitsGlob(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    if (p < pattern.length && (pattern[p] === '?' || (pattern[p] === name[n] && pattern[p] !== '*'))) {
      p += 1;
      n += 1;
    } else if (pattern[p] === '*') {
      star = p;
      resume = n;
      p += 1;
    } else if (star >= 0) {
      resume += 1;
      n = resume;
      p = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
