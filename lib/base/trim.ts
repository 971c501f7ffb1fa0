/**
 * The text without the characters of `set` at its end. A regular expression such as `/_+$/` tries each run of them anew and
 * takes the square of its length.
 */
export function trimEndOf(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The same at both ends. */
export function trimOf(text: string, set: string): string {
  const kept = trimEndOf(text, set);
  let start = 0;
  while (start < kept.length && set.includes(kept.charAt(start))) start += 1;
  return kept.slice(start);
}
