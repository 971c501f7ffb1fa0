import { globMatch } from './fnmatch';

/** True if a filter of MCP tools takes a tool. `undefined` takes all tools, an empty list none. */
export function filterTakes(patterns: readonly string[] | undefined, name: string): boolean {
  return patterns === undefined || patterns.some((pattern) => globMatch(pattern, name));
}
