import type { Picture } from './picture';

/** The folder as the runtime understands it: cards with all defaults, servers, settings, and the graph. */
export function compiledJson({ parsed, graph, entry }: Pick<Picture, 'parsed' | 'graph' | 'entry'>): string {
  const { cards, config, settings, issues } = parsed;
  const compiled = { format: 1, entry, agents: cards, config, settings, graph, issues };
  return `${JSON.stringify(compiled, plain, 2)}\n`;
}

/** Maps become objects and sets become lists. */
function plain(_: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
}
