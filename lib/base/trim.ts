/**
 * Removes the characters of `set` from the end of the text. A regular expression such as `/_+$/` would need quadratic time.
 */
export function trimEndOf(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Removes the characters of `set` from both ends. */
export function trimOf(text: string, set: string): string {
  const kept = trimEndOf(text, set);
  let start = 0;
  while (start < kept.length && set.includes(kept.charAt(start))) start += 1;
  return kept.slice(start);
}
