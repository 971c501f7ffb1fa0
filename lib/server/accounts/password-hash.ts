import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { takeTurn } from './password-turns';

/*
 * Hashes of passwords: scrypt (RFC 7914) with parameters that OWASP's Password Storage Cheat Sheet lists. A hash names its parameters, so
 * that they can grow: `scrypt:N:r:p:salt:hash`, both in base64url. The work runs in Node's threads. ./password-turns says when.
 */

interface Parameters {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

const present: Parameters = { cost: 2 ** 16, blockSize: 8, parallelization: 2 };
const hashBytes = 32;

/** Hashes a password, which takes most of a second. */
export async function hashPassword(password: string, parameters: Parameters = present): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, parameters);
  const { cost, blockSize, parallelization } = parameters;
  return ['scrypt', cost, blockSize, parallelization, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/** True if a password has this hash. False for a text that is no hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const known = parse(stored);
  if (known === undefined) return false;
  return timingSafeEqual(await derive(password, known.salt, known.parameters), known.hash);
}

/** True if a hash was made with other parameters than new ones, so that the next sign-in should replace it. */
export function isOutdated(stored: string): boolean {
  const { cost, blockSize, parallelization } = present;
  return !stored.startsWith(`scrypt:${cost}:${blockSize}:${parallelization}:`);
}

function parse(stored: string) {
  const match = /^scrypt:(\d+):(\d+):(\d+):([\w-]+):([\w-]+)$/.exec(stored);
  if (match === null) return undefined;
  const [cost = 0, blockSize = 0, parallelization = 0] = match.slice(1, 4).map(Number);
  const [salt = '', hash = ''] = match.slice(4);
  const bytes = Buffer.from(hash, 'base64url');
  if (bytes.length !== hashBytes) return undefined;
  return { parameters: { cost, blockSize, parallelization }, salt: Buffer.from(salt, 'base64url'), hash: bytes };
}

/** Who asks outside of a sign-in has a session or a link, so waits as a person at a known place. */
async function derive(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  return await takeTurn({ isKnown: true }, () => scryptLater(password.normalize('NFKC'), salt, parameters));
}

function scryptLater(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  const { cost, blockSize, parallelization } = parameters;
  const options: ScryptOptions = {
    N: cost,
    r: blockSize,
    p: parallelization,
    maxmem: 128 * blockSize * (cost + parallelization + 2),
  };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, options, (error, hash) => (error === null ? resolve(hash) : reject(error)));
  });
}
