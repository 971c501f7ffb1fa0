import { isRecord, type Json } from './json';
import { redactedText } from './redact-text';

export const redacted = '[redacted]';

/** Names of things nobody should read, in any spelling: `api_key`, `API-Key` and `apiKey` are one. */
const secretNames = [
  'apikey',
  'accesskey',
  'secretkey',
  'privatekey',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'authorization',
  'credential',
  'credentials',
];

export type IsSecret = (key: string) => boolean;

/** A key is secret when its name is, or ends in, one of the usual names or of those given. */
export function secretKeys(more: readonly string[] = []): IsSecret {
  const names = [...secretNames, ...more.map(plain)].filter((name) => name !== '');
  return (key) => {
    const name = plain(key);
    return names.some((secret) => name.endsWith(secret));
  };
}

/** The value with what stands under secret keys taken out, at any depth. Unchanged values are the same object. */
export function redactJson(value: Json, isSecret: IsSecret): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => redactJson(item, isSecret));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  // A model may write its arguments as JSON in a string.
  if (typeof value === 'string')
    return value.includes('":') || value.includes('" ') ? redactText(value, isSecret) : value;
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, Json] => [
    key,
    isSecret(key) && member !== null ? redacted : redactJson(member, isSecret),
  ]);
  return entries.some(([key, member]) => member !== value[key]) ? Object.fromEntries(entries) : value;
}

/** The same for text that may be JSON, or a part of it, also where it holds JSON as a string. */
export function redactText(text: string, isSecret: IsSecret): string {
  return redactedText(text, isSecret, redacted);
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}
