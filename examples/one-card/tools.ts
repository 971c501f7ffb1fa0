/** Adds one. */
export function add_one(x: number): number {
  return x + 1;
}
