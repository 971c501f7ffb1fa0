/**
 * Whether a pattern of a `redact` hook can be used: regular expressions in RE2's syntax, which are matched in linear time
 * whatever the text, so no pattern can hang a worker. Returns what is wrong, or undefined. RE2 itself reads the pattern
 * when a run begins; this check, light enough for the editor, finds what people really write.
 */
export function patternProblem(pattern: string): string | undefined {
  const text = pattern.replaceAll(/\\./gs, (pair) => (/^\\[1-9k]$/.test(pair) ? '\uE000' : '\uE001'));
  if (text.includes('\uE000')) return 'a pattern cannot refer back to a group (\\1, \\k)';
  const outside = text.replaceAll(/\[\^?\]?[^\]]*\]/g, 'x');
  if (/\(\?(?:=|!|<=|<!)/.test(outside)) return 'a pattern cannot look ahead or behind ((?=, (?!, (?<=, (?<!)';
  if (/\(\?>|[*+?}]\+/.test(outside)) return 'a pattern cannot be possessive or atomic';
  const plain = pattern
    .replaceAll(/\(\?P?</g, '(?<')
    .replaceAll(/\(\?[imsU-]+\)/g, '')
    .replaceAll(/\(\?[imsU-]+:/g, '(?:');
  try {
    new RegExp(plain);
  } catch (error) {
    return error instanceof Error ? error.message : 'it is no regular expression';
  }
  return undefined;
}
