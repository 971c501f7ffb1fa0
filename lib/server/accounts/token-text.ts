import { createHash, randomBytes } from 'node:crypto';

/*
 * The text of a personal token: `cb_`, 50 letters and digits of 256 random bits, and 7 of a checksum. Letters and digits are those of base
 * 36: a double click selects the whole token. By the prefix and the checksum a scanner of leaked secrets, and Callboard itself, tell a token
 * from other texts without a database.
 */

export const tokenStart = 'cb_';

const randomLength = 50;
const checksumLength = 7;
const shape = new RegExp(`^${tokenStart}[0-9a-z]{${randomLength + checksumLength}}$`);
/** How much of a token lists show. 8 of 50 characters are no help to guess the others. */
const shownLength = tokenStart.length + 8;

/** Makes a token of 32 random bytes. */
export function tokenOf(random: Uint8Array): string {
  const digits = BigInt(`0x${Buffer.from(random).toString('hex')}`)
    .toString(36)
    .padStart(randomLength, '0');
  const body = `${tokenStart}${digits}`;
  return `${body}${checksumOf(body)}`;
}

export function newToken(): string {
  return tokenOf(randomBytes(32));
}

/** True if the text has the form of a token and its checksum is right. It may still be a token of another installation. */
export function isTokenText(text: string): boolean {
  return shape.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumLength)));
}

/** Returns the beginning of a token, which lists show. */
export function shownPart(token: string): string {
  return token.slice(0, shownLength);
}

/**
 * Returns what the database keeps of a token. One round of SHA-256 is right here, unlike for passwords: nobody can try out 2^256 tokens,
 * however fast the hash is. A slow hash would only cost every request its time. A salt would serve nothing, because no two tokens are the
 * same, and without one the token is found by an index.
 */
export function hashOfSecret(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The first 32 bits of the SHA-256, in base 36. */
function checksumOf(body: string): string {
  const bits = createHash('sha256').update(body).digest().readUInt32BE();
  return bits.toString(36).padStart(checksumLength, '0');
}
