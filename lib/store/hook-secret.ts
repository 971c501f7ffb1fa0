import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/*
 * The secret that signs the requests of a webhook. Who checks a signature needs the secret itself, so it is encrypted (AES-256-GCM) with a
 * key that workers and web processes have. It follows from the secret key of the installation, and opens nothing else.
 *
 *   <id of the pair of keys>:<base64 of nonce ‖ tag ‖ text>
 *
 * The id of the trigger is authenticated, so a sealed secret that is moved to another trigger does not open.
 */

export interface HookKey {
  /** That of the key pair of the installation (./sealing.ts). */
  readonly id: string;
  /** 32 bytes, as base64url. */
  readonly hooksKey: string;
}

const [nonceLength, tagLength] = [12, 16];

export function sealHookSecret(secret: string, trigger: string, { id, hooksKey }: HookKey): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(hooksKey, 'base64url'), nonce);
  cipher.setAAD(Buffer.from(trigger));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${id}:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')}`;
}

/** Returns the secret, or `undefined` if none of the keys opens it. */
export function openHookSecret(sealed: string, trigger: string, keys: readonly HookKey[]): string | undefined {
  const [id, value = ''] = sealed.split(':', 2);
  const key = keys.find((each) => each.id === id);
  if (key === undefined) return undefined;
  const bytes = Buffer.from(value, 'base64');
  try {
    const nonce = bytes.subarray(0, nonceLength);
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key.hooksKey, 'base64url'), nonce);
    decipher.setAAD(Buffer.from(trigger));
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    const text = bytes.subarray(nonceLength + tagLength);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Writes keys for the environment of a process. */
export function writeHookKeys(keys: readonly HookKey[]): string {
  return keys.map(({ id, hooksKey }) => `${id}.${hooksKey}`).join(',');
}

export function readHookKeys(text: string): readonly HookKey[] {
  return [...text.matchAll(/([0-9a-f]+)\.([\w-]{43})/g)].map(([, id = '', hooksKey = '']) => ({ id, hooksKey }));
}
