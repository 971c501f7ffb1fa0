/**
 * How many random inputs a property tries: `all` of them in `npm run test:full`, and a quarter in `npm test`. Not for a property that must meet each of
 * several rare cases.
 */
export function tries(all: number): number {
  return process.env.CALLBOARD_TEST_TRIES === 'all' ? all : Math.ceil(all / 4);
}
