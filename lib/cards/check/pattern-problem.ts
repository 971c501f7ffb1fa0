/** As the engine has it (lib/base/linear-pattern.ts). */
const longestPattern = 2_000;
const mostRepeats = 1_000;

/**
 * What is wrong with a pattern of a `redact` hook or of a JSON schema, or undefined. Patterns are matched by RE2 in linear time
 * whatever the text, so none can hang a worker. RE2 itself reads the pattern when a run begins; this check, light enough for
 * the editor, finds what people really write.
 */
export function patternProblem(pattern: string): string | undefined {
  const problem = linearProblem(pattern);
  if (problem !== undefined) return problem;
  const plain = pattern
    .replaceAll(/\(\?P?</g, '(?<')
    .replaceAll(/\(\?[imsU-]{1,8}\)/g, '')
    .replaceAll(/\(\?[imsU-]{1,8}:/g, '(?:');
  try {
    new RegExp(plain, /\\[pPu]\{/.test(plain) ? 'u' : '');
  } catch (error) {
    return error instanceof Error ? error.message : 'it is no regular expression';
  }
  return undefined;
}

/** What RE2 has no answer to. */
export function linearProblem(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `a pattern has at most ${longestPattern} characters`;
  const text = pattern.replaceAll(/\\./gs, (pair) => (/^\\[1-9k]$/.test(pair) ? '\uE000' : '\uE001'));
  if (text.includes('\uE000')) return 'a pattern cannot refer back to a group (\\1, \\k)';
  const outside = text.replaceAll(/\[\^?\]?[^\]]*\]/g, 'x');
  if (/\(\?(?:=|!|<=|<!)/.test(outside)) return 'a pattern cannot look ahead or behind ((?=, (?!, (?<=, (?<!)';
  if (/\(\?>|[*+?}]\+/.test(outside)) return 'a pattern cannot be possessive or atomic';
  for (const [, least = '', most = ''] of outside.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    if (Math.max(Number(least), Number(most)) > mostRepeats) return `a pattern repeats at most ${mostRepeats} times`;
  }
  return undefined;
}
