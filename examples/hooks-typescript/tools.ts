/** Adds one to a number. */
export function addOne(args: { x: number }) {
  return args.x + 1;
}

/** Spends an amount in euros from account DE89370400440532013000. */
export function spend(args: { euros: number }) {
  return `Spent ${args.euros} € from DE89370400440532013000.`;
}
