/** The limit of the engine (lib/base/linear-pattern.ts). */
const longestPattern = 2_000;
const mostRepeats = 1_000;

/**
 * The problem of a pattern in a `redact` hook or a JSON schema, or `undefined`. RE2 matches patterns in linear time, so no
 * pattern can block a worker. RE2 itself compiles the pattern when a run begins. This check is small enough for the editor
 * and finds the common faults.
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
    return error instanceof Error ? error.message : 'it is not a regular expression';
  }
  return undefined;
}

/** Features that RE2 does not support. */
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
