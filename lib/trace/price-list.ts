import { keptPrices, type Price } from './own-prices';
import prices from './prices.json';

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

const maxFound = 1_000;

/** Returns the price of a model string without its query; `undefined` if it is not known. */
export function priceOf(name: string): Price | undefined {
  return ownPriceOf(name) ?? listedPriceOf(name);
}

/** Returns the operator's price. The first pattern that fits counts. */
export function ownPriceOf(name: string): Price | undefined {
  const { patterns, found } = keptPrices();
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
