import { globMatch } from '@/lib/base/fnmatch';

/** True for a pattern that may match several names. `[*]` stands for a plain `*`. */
export function isWildcard(pattern: string): boolean {
  return /[*?[]/.test(pattern.replaceAll(/\[[*?[]\]/g, ''));
}

/** Returns the pattern that matches this name only. */
export function patternOf(name: string): string {
  return name.replaceAll(/[*?[]/g, '[$&]');
}

/** Returns the one name that a pattern without wildcards matches. */
export function nameOfPattern(pattern: string): string {
  return pattern.replaceAll(/\[([*?[])\]/g, '$1');
}

/** Returns the names that a filter writes out, without those that only a wildcard covers. */
export function namesIn(patterns: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => !isWildcard(pattern)).map(nameOfPattern);
}

/** Returns the first pattern that matches the name, or `undefined`. */
export function patternFor(patterns: readonly string[], name: string): string | undefined {
  return patterns.find((pattern) => globMatch(pattern, name));
}
