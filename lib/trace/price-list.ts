import prices from './prices.json';

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

/** Anthropic charges a quarter more for tokens that it keeps for five minutes. */
const cacheWrite: Readonly<Record<string, number>> = { anthropic: 1.25 };

const table: Readonly<Record<string, Price>> = Object.fromEntries(
  Object.entries<Price>(prices).map(([key, price]) => {
    const factor = cacheWrite[key.slice(0, key.indexOf('/'))];
    return [key, factor === undefined ? price : { cache_write: price.input * factor, ...price }];
  }),
);
const providers = new Set(Object.keys(table).map((key) => key.slice(0, key.indexOf('/'))));
const byModel = new Map(Object.keys(table).map((key) => [key.slice(key.indexOf('/') + 1), key]));

interface Own {
  readonly list: readonly OwnPrice[];
  readonly patterns: readonly { readonly fits: RegExp; readonly price: Price }[];
  /** What was found before, by the name of the model. */
  readonly found: Map<string, Price | undefined>;
}

const none: Own = { list: [], patterns: [], found: new Map() };
const maxFound = 1_000;
/** One per process and page, because every cost is made with it. On `globalThis`, because Next evaluates modules more than once. */
const holder: { callboardPrices?: Own } = globalThis as never;

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
  return (holder.callboardPrices ?? none).list;
}

/** Returns the price of a model string without its query; `undefined` if it is not known. */
export function priceOf(name: string): Price | undefined {
  return ownPriceOf(name) ?? listedPriceOf(name);
}

/** Returns the operator's price. The first pattern that fits counts. */
export function ownPriceOf(name: string): Price | undefined {
  const { patterns, found } = holder.callboardPrices ?? none;
  if (patterns.length === 0) return undefined;
  if (found.has(name)) return found.get(name);
  const names = namesOf(name);
  const price = patterns.find(({ fits }) => names.some((one) => fits.test(one)))?.price;
  if (found.size >= maxFound) found.clear();
  found.set(name, price);
  return price;
}

/** The names by which a pattern may mean a model: with its provider and without, with its date and without. */
function namesOf(name: string): readonly string[] {
  const known = byModel.get(name) ?? byModel.get(withoutDate(name));
  const parts = [
    name,
    name.slice(name.indexOf('.') + 1),
    name.slice(name.indexOf('/') + 1),
    name.slice(name.lastIndexOf('/') + 1),
  ];
  const all = known === undefined ? parts : [...parts, known];
  return [...new Set([...all, ...all.map(withoutDate)])];
}

/** Finds a price in prices.json. A dated name (`gpt-4o-2024-08-06`) has the price of its family. */
function listedPriceOf(name: string): Price | undefined {
  const at = name.search(/[./]/);
  const provider = name.slice(0, Math.max(at, 0));
  const isNamed = providers.has(provider);
  const rest = isNamed ? name.slice(at + 1) : name;
  const find = (model: string) => own(isNamed ? `${provider}/${model}` : (byModel.get(model) ?? ''));
  return find(rest) ?? find(withoutDate(rest));
}

function own(key: string): Price | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function withoutDate(name: string): string {
  return name.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
}
