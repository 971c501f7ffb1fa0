/** Returns the host of an address, with its port. `undefined` if the address is not one, or its host is a variable. */
export function hostOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/?#]*@)?([^/?#]+)/i.exec(url)?.[1];
  return host?.toLowerCase();
}
