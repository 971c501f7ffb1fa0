/*
 * What an address must be so that Callboard can call it, as far as its text says. A check of a folder and the call itself ask these
 * functions. Whether anything answers there, only the call knows.
 */

/** Says why a text cannot be read at an address, as the end of a sentence. Returns `undefined` if it can. */
export function textAddressProblem(text: string, base?: URL): string | undefined {
  if (!URL.canParse(text, base)) return 'it is not an address';
  const { protocol, username, password } = new URL(text, base);
  if (protocol === 'hf:') return "'hf:' addresses are not supported; use the file's https address";
  return username === '' && password === '' ? undefined : 'it has a user name or password in it';
}

/** Says why no remote agent can be at an address. `shown` is the address without secrets. */
export function agentAddressProblem(address: string, shown: string): string | undefined {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return undefined;
  const kind = URL.canParse(address) ? 'an http or https URL' : 'a URL';
  return `'${shown}' is not ${kind}. Write one that starts with https:// after url, such as https://example.com.`;
}

/** Returns an address without user, password and query, because these may be secret. */
export function shownUrl(url: string | undefined): string {
  return (url ?? '').replace(/^(\s*[a-z][a-z0-9+.-]*:[\\/]*)[^/?#\\]*@/i, '$1').replace(/\?.*$/s, '?…');
}

/**
 * Returns the host that an address calls, with its port. `undefined` if the address is not one, or its host is a variable. As browsers
 * do (WHATWG URL), a backslash counts as a slash, and the slashes may be missing.
 */
export function hostOfUrl(url: string | undefined): string | undefined {
  const host = /^\s*[a-z][a-z0-9+.-]*:[\\/]*(?:[^/?#\\]*@)?([^/?#\\]+)/i.exec(url ?? '')?.[1];
  return host === undefined || host.includes('${') ? undefined : host.toLowerCase();
}
