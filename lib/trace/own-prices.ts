/** The operator's prices. They are apart from the list of prices, because every page has them. */

/** USD per million tokens. A token that is read from the cache or written to it costs the same as any other without its own price. */
export interface Price {
  readonly input: number;
  readonly cached_input?: number | undefined;
  readonly cache_write?: number | undefined;
  readonly output: number;
}

/** A price that the operator has set, for all models that the pattern fits. */
export interface OwnPrice {
  /** A model as on a card, with its provider or without. `*` stands for any letters. */
  readonly pattern: string;
  readonly price: Price;
}

interface KeptPrices {
  readonly list: readonly OwnPrice[];
  readonly patterns: readonly { readonly fits: RegExp; readonly price: Price }[];
  /** What was found before, by the name of the model. */
  readonly found: Map<string, Price | undefined>;
}

const none: KeptPrices = { list: [], patterns: [], found: new Map() };
/** One per process and page, because every cost is made with it. On `globalThis`, because Next evaluates modules more than once. */
const holder: { callboardPrices?: KeptPrices } = globalThis as never;

/** Sets the operator's prices for this process or page. They take precedence over those of prices.json. */
export function setOwnPrices(list: readonly OwnPrice[]): void {
  const patterns = list.map(({ pattern, price }) => {
    const literal = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
    // A provider is separated with a dot or a slash.
    return { fits: new RegExp(`^${literal.join('.*').replace(/\\[./]/, '[./]')}$`, 'i'), price };
  });
  holder.callboardPrices = { list, patterns, found: new Map() };
}

export function ownPrices(): readonly OwnPrice[] {
  return keptPrices().list;
}

/** Returns them with what was made of them. */
export function keptPrices(): KeptPrices {
  return holder.callboardPrices ?? none;
}
