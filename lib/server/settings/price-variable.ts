import { z } from 'zod';
import { type OwnPrice, setOwnPrices } from '@/lib/trace/own-prices';
import { givenPriceList } from './process-env';

const price = z.strictObject({
  input: z.number(),
  cached_input: z.number().optional(),
  cache_write: z.number().optional(),
  output: z.number(),
});
const list = z.array(z.strictObject({ pattern: z.string(), price }));

/** Writes prices for the variable in which the launcher sends them, so that all its processes have the same; nothing if there are none. */
export function writePriceList(prices: readonly OwnPrice[]): string | undefined {
  return prices.length === 0 ? undefined : JSON.stringify(prices);
}

/** Reads what `writePriceList` wrote. */
export function readPriceList(text: string): readonly OwnPrice[] {
  return list.parse(JSON.parse(text));
}

/** Makes costs of this process with the prices that the launcher has sent. */
export function setSentPrices(): void {
  const text = givenPriceList();
  setOwnPrices(text === undefined ? [] : readPriceList(text));
}
