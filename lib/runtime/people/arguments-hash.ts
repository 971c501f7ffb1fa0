import { canonicalJson } from '@/lib/base/canonical-json';
import type { Json } from '@/lib/base/json';
import { sha256 } from '@/lib/base/sha256';

/**
 * Returns the SHA-256 over the canonical JSON of a value. An approval is for a call with this hash alone, so it is made of the
 * arguments before redaction: two passwords must not look alike. The order of members makes no difference.
 */
export function argumentsHashOf(value: Json, hash: (bytes: Uint8Array) => string = sha256): string {
  return hash(new TextEncoder().encode(canonicalJson(value)));
}
