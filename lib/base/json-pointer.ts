import { isRecord, type Json } from './json';

/** Returns what a JSON pointer in a fragment (`#/$defs/name`) leads to (RFC 6901, section 6), `undefined` if it leads nowhere. */
export function targetOf(root: Json | undefined, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at = root;
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
