import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * Computes SHA-256 as lower-case hex. Pure code needs the result at once, but the function of the web platform is
 * asynchronous, and Node's is not available in pure folders. It is meant for small content; `lib/store` hashes files.
 */
export function sha256(bytes: Uint8Array): string {
  return bytesToHex(hash(bytes));
}
