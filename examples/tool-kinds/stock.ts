const stock: Record<string, number> = { lamp: 4, chair: 0, desk: 2 };

/** How many pieces of an item are in stock. */
export function inStock(args: { item: 'lamp' | 'chair' | 'desk' }) {
  return { item: args.item, pieces: stock[args.item] };
}

/** Reserves pieces of an item. Fails when there are too few. */
export function reserve(args: { item: 'lamp' | 'chair' | 'desk'; pieces: number }) {
  if (stock[args.item] < args.pieces) throw new Error(`Only ${stock[args.item]} of ${args.item} left.`);
  return `Reserved ${args.pieces} × ${args.item}.`;
}
