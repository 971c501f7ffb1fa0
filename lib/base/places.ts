/**
 * Where values of variables may go, by the name of the variable: hosts of addresses, with the port if it is not the usual one, and started
 * servers as `placeOfStarted` writes them. A name that is missing or has no places goes wherever it is named.
 */
export type Bindings = ReadonlyMap<string, readonly string[]>;

/** Names a started server as a place. A folder chooses the name, so a name alone could be that of a host. */
export function placeOfStarted(server: string): string {
  return `server:${server}`;
}

/** Says why one of the variables must not go to a place, and who can change it. Returns `undefined` if all may. */
export function misplaced(names: Iterable<string>, place: string, bound: Bindings | undefined): string | undefined {
  for (const name of names) {
    const places = bound?.get(name) ?? [];
    if (places.length === 0 || places.includes(place)) continue;
    return `the secret ${name} may go to ${places.join(', ')} only, not to ${place}. Whoever keeps the secret can add it.`;
  }
  return undefined;
}
