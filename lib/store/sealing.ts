import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/*
 * Values are sealed to a public key: who has it can seal and cannot open. The web process has only that key. Workers have the secret
 * key, from which both follow.
 *
 *   secret key (32 bytes) ──HKDF──▶ X25519 key pair ──▶ public key (32 bytes), and its name
 *   seal: a key pair of this value alone ──X25519 with the public key──HKDF──▶ AES-256-GCM key ──▶ 1 ‖ public ‖ nonce ‖ tag ‖ text
 *
 * The label is authenticated, so a sealed value opens only where it was put.
 */

const version = 1;
const [publicLength, nonceLength, tagLength] = [32, 12, 16];
const headLength = 1 + publicLength + nonceLength + tagLength;
/** What stands before the 32 bytes of an X25519 key in PKCS #8 and in SPKI (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex');

/** Seals values, and opens none. */
export interface SealingKey {
  /** Names the pair: the first half of the SHA-256 of the public key, as hex. */
  readonly id: string;
  /** As base64url. */
  readonly publicKey: string;
}

/** Opens values. */
export interface OpeningKey extends SealingKey {
  readonly privateKey: KeyObject;
  /** Signs links with which people answer questions from their mail. It opens nothing, and the web process has it too. */
  readonly linkKey: string;
  /** Signs the cookies of people with accounts and encrypts their second factors. It opens no secret, and the web process has it too. */
  readonly accountsKey: string;
  /** Encrypts the secrets of webhooks (./hook-secret.ts). It opens nothing else, and the web process has it too. */
  readonly hooksKey: string;
}

/** Derives the pair of a secret key of 32 bytes or more. */
export function openingKey(secret: Uint8Array): OpeningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'callboard secrets', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, 32)).toString('base64url');
  const own = sealingKey(rawPublic(createPublicKey(privateKey)).toString('base64url'));
  const [linkKey, accountsKey] = [derived('callboard answer links'), derived('callboard accounts')];
  return { ...own, privateKey, linkKey, accountsKey, hooksKey: derived('callboard webhooks') };
}

/** Throws for a text that is no public key. */
export function sealingKey(publicKey: string): SealingKey {
  const raw = Buffer.from(publicKey, 'base64url');
  if (raw.length !== publicLength) throw new Error('A sealing key has 32 bytes.');
  return { id: createHash('sha256').update(raw).digest('hex').slice(0, 32), publicKey };
}

/** Seals a text, as base64. `label` says where it belongs. */
export function seal(text: string, label: string, { publicKey }: SealingKey): string {
  const recipient = Buffer.from(publicKey, 'base64url');
  const own = generateKeyPairSync('x25519');
  const ephemeral = rawPublic(own.publicKey);
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: publicOf(recipient) });
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', valueKey(shared, ephemeral, recipient), nonce);
  cipher.setAAD(Buffer.from(label));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(version), ephemeral, nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Opens what `seal` made with this key and this label. Throws an Error without any part of the value. */
export function unseal(sealed: string, label: string, { publicKey, privateKey }: OpeningKey): string {
  const bytes = Buffer.from(sealed, 'base64');
  const [nonceAt, tagAt, textAt] = [1 + publicLength, 1 + publicLength + nonceLength, headLength];
  const ephemeral = bytes.subarray(1, nonceAt);
  try {
    if (bytes[0] !== version) throw new Error('unknown version');
    const shared = diffieHellman({ privateKey, publicKey: publicOf(ephemeral) });
    const key = valueKey(shared, ephemeral, Buffer.from(publicKey, 'base64url'));
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(nonceAt, tagAt));
    decipher.setAAD(Buffer.from(label));
    decipher.setAuthTag(bytes.subarray(tagAt, textAt));
    return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8');
  } catch {
    throw new Error('A sealed value does not open: it was changed, moved, or sealed with another key.');
  }
}

/** The label of a value that goes with a task and is stored nowhere else. */
export function typedLabel(taskId: string): string {
  return `task/${taskId}`;
}

/** Seals a text, and writes the name of the key before it, for columns that have no other place for it. */
export function sealNamed(text: string, label: string, key: SealingKey): string {
  return `${key.id}:${seal(text, label, key)}`;
}

/** Opens what `sealNamed` made with one of these keys. Throws as `unseal`. */
export function unsealNamed(sealed: string, label: string, keys: readonly OpeningKey[]): string {
  const [id, value = ''] = sealed.split(':', 2);
  const key = keys.find((each) => each.id === id);
  if (key === undefined) throw new Error('The key of a sealed value is missing.');
  return unseal(value, label, key);
}

function valueKey(shared: Buffer, ephemeral: Buffer, recipient: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([ephemeral, recipient]), 'callboard value', 32));
}

function publicOf(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix, raw]), format: 'der', type: 'spki' });
}

function rawPublic(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(-publicLength);
}
