import { sha256 } from '@/lib/base/sha256';

/** The strictest limits of the providers: letters, digits, `_` and `-`; Responses take at most 64 of them. */
const legal = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the id of a call as every provider takes it. A conversation may have ids of another provider, or of Callboard itself,
 * which is where calls come from that a model made without an id. The same id always gives the same result.
 */
export function callIdOnWire(id: string): string {
  return legal.test(id) ? id : `call_${sha256(new TextEncoder().encode(id)).slice(0, 32)}`;
}
