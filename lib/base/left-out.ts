/** One thing that a run does without although the files have it (docs/runs.md). */
export type LeftOut =
  | { readonly kind: 'agent' | 'server'; readonly name: string }
  /** A tool of an MCP server, by its name there. */
  | { readonly kind: 'tool'; readonly server: string; readonly name: string }
  /** A function tool. `name` is `file:function`, with the path in the folder. */
  | { readonly kind: 'function'; readonly name: string };

/** Identifies a thing that is left out. */
export function leftOutKey(one: LeftOut): string {
  return JSON.stringify([one.kind, one.kind === 'tool' ? one.server : '', one.name]);
}

/** True if both lists name the same things. The order does not matter. */
export function isSameLeftOut(a: readonly LeftOut[], b: readonly LeftOut[]): boolean {
  const keys = new Set(a.map(leftOutKey));
  const others = new Set(b.map(leftOutKey));
  return keys.size === others.size && [...keys].every((key) => others.has(key));
}

/** Returns a thing's name as people know it. */
export function leftOutName(one: LeftOut): string {
  switch (one.kind) {
    case 'tool':
      return `${one.server}__${one.name}`;
    case 'function':
      return one.name.slice(one.name.lastIndexOf(':') + 1);
    default:
      return one.name;
  }
}

/** Returns `without Researcher, github`. */
export function withoutWords(leftOut: readonly LeftOut[]): string {
  return `without ${leftOut.map(leftOutName).join(', ')}`;
}
