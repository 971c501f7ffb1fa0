/** Reads from the address what a page of the app passes to its screen: the value of each name, or `undefined`. */
export function linkOf(names: readonly string[]): { readonly [name: string]: string | undefined } {
  const asked = new URLSearchParams(window.location.search);
  return Object.fromEntries(names.map((name) => [name, asked.get(name) ?? undefined]));
}
