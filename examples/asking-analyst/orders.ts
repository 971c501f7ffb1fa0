const orders = [
  { id: 71, quarter: 'Q2', euros: 120 },
  { id: 84, quarter: 'Q3', euros: 300 },
  { id: 84, quarter: 'Q3', euros: 300 },
  { id: 91, quarter: 'Q3', euros: 60 },
];

/** Lists the orders of a quarter, such as Q3. */
export function readOrders(args: { quarter: string }) {
  return orders.filter(({ quarter }) => quarter === args.quarter);
}

/** Removes orders that are in the list twice, and says what is left. */
export function removeDuplicates(args: { quarter: string }) {
  const left = new Map(readOrders(args).map((order) => [order.id, order]));
  const euros = [...left.values()].reduce((sum, order) => sum + order.euros, 0);
  return `${args.quarter}: ${left.size} orders, ${euros} €`;
}
