/** A secret key has this many bytes, or more. */
export const keyBytes = 32;

/** Decodes a key in hex, base64 or base64url. Returns no bytes for any other text. */
export function secretKeyBytes(text: string): Buffer {
  const trimmed = text.trim();
  if (/^(?:[0-9a-f]{2})+$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  return /^[\w+/=-]+$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : Buffer.alloc(0);
}

export function isSecretKey(text: string): boolean {
  return secretKeyBytes(text).length >= keyBytes;
}
