/** Finds the latest invoice of a customer. Always the same, so that the sample needs no network. */
export function findInvoice(args: { customer: string }) {
  return `Invoice 2081 of ${args.customer}: 49 €, paid on 3 May and again on 4 May`;
}
