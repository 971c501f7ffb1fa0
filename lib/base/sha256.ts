import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * SHA-256 as lower-case hex. The result is immediate, which pure code needs in the middle of a step: the function of the web
 * platform is asynchronous, and Node's is not available in pure folders. For small content; `lib/store` hashes files.
 */
export function sha256(bytes: Uint8Array): string {
  return bytesToHex(hash(bytes));
}
