import families from './model-facts.json';

/** What is known of a model. Its source is in sources.md in this folder. */
export interface ModelFacts {
  /** The number of tokens that a request may have. */
  readonly contextTokens: number;
  /** True if it calls tools. Every listed model does. */
  readonly tools: boolean;
  /** True if it takes pictures. */
  readonly vision: boolean;
  /** True if it thinks before it answers. */
  readonly reasoning: boolean;
}

const byName: ReadonlyMap<string, ModelFacts> = new Map(
  families.flatMap(({ context, can, models }) => {
    const abilities: readonly string[] = can;
    const facts = {
      contextTokens: context,
      tools: true,
      vision: abilities.includes('vision'),
      reasoning: abilities.includes('reasoning'),
    };
    return models.map((name) => [name, facts] as const);
  }),
);

/**
 * Returns the facts of a model by its name in a request. The host of a model (`:cerebras`), a date at its end and the vendor
 * of a router (`openai/gpt-5-mini`) do not matter. Returns `undefined` for a model that is not listed.
 */
export function factsOfModel(name: string): ModelFacts | undefined {
  const base = name.toLowerCase().replace(/:[^:]*$/, '');
  const family = base.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest|preview)$/, '');
  const found = byName.get(base) ?? byName.get(family);
  const slash = base.indexOf('/');
  return found ?? (slash > 0 ? factsOfModel(base.slice(slash + 1)) : undefined);
}
