import { createHash, randomBytes } from 'node:crypto';

/*
 * The text of a personal token: `cb_`, 50 letters and digits of 256 random bits, and 7 of a checksum. Letters and digits are those of base
 * 36: a double click selects the whole token. By the prefix and the checksum a scanner of leaked secrets, and Callboard itself, tell a token
 * from other texts without a database.
 */

export const tokenStart = 'cb_';

/** A share link has a token of the same form with a beginning of its own, so that neither is ever taken for the other. */
const shareStart = 'cbs_';

const randomLength = 50;
const checksumLength = 7;
const shapeOf = (start: string) => new RegExp(`^${start}[0-9a-z]{${randomLength + checksumLength}}$`);
const shape = shapeOf(tokenStart);
const shareShape = shapeOf(shareStart);
/** How many characters after its beginning lists show. 8 of 50 are no help to guess the others. */
const shownLength = 8;

/** Makes a token of 32 random bytes. */
export function tokenOf(random: Uint8Array, start = tokenStart): string {
  const digits = BigInt(`0x${Buffer.from(random).toString('hex')}`)
    .toString(36)
    .padStart(randomLength, '0');
  const body = `${start}${digits}`;
  return `${body}${checksumOf(body)}`;
}

export function newToken(): string {
  return tokenOf(randomBytes(32));
}

/** Makes the token of a share link. */
export function newShareToken(): string {
  return tokenOf(randomBytes(32), shareStart);
}

/** True if the text has the form of a token and its checksum is right. It may still be a token of another installation. */
export function isTokenText(text: string): boolean {
  return shape.test(text) && hasRightChecksum(text);
}

/** True if the text has the form of the token of a share link, and its checksum is right. */
export function isShareText(text: string): boolean {
  return shareShape.test(text) && hasRightChecksum(text);
}

function hasRightChecksum(text: string): boolean {
  return text.endsWith(checksumOf(text.slice(0, -checksumLength)));
}

/** Returns the beginning of a token, which lists show. */
export function shownPart(token: string): string {
  return token.slice(0, token.indexOf('_') + 1 + shownLength);
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
