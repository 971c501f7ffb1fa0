import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/* Codes of an authenticator app: TOTP (RFC 6238) with SHA-1, six digits and 30 seconds, which every app knows. */

const periodMs = 30_000;
const longestName = 100;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Makes a secret of 160 random bits, in Base32 as people type it. */
export function newCodeSecret(): string {
  return Array.from(randomBytes(32), (byte) => alphabet[byte % 32]).join('');
}

/** Returns the code of a secret at a time. */
export function codeAt(secret: string, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / periodMs)));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return `${number % 1_000_000}`.padStart(6, '0');
}

/** True for the code of now, of the 30 seconds before, and of those after, because clocks differ. */
export function isCodeOf(secret: string, code: string, nowMs: number): boolean {
  const given = Buffer.from(code.padEnd(6).slice(0, 6), 'latin1');
  const fits = [-periodMs, 0, periodMs].filter((apart) =>
    timingSafeEqual(Buffer.from(codeAt(secret, nowMs + apart)), given),
  );
  return code.length === 6 && fits.length > 0;
}

/** Returns what the QR code for an app says. A long name is cut, so that the code stays readable. */
export function appAddress(secret: string, email: string): string {
  let name = Array.from(email);
  while (encodeURIComponent(name.join('')).length > longestName) name = name.slice(0, -1);
  return `otpauth://totp/Callboard:${encodeURIComponent(name.join(''))}?secret=${secret}&issuer=Callboard`;
}

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
