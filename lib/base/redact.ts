import { isRecord, type Json } from './json';
import { redactedText } from './redact-text';

export const redacted = '[redacted]';

/** Names of secrets. The spelling does not matter: `api_key`, `API-Key` and `apiKey` are equal. */
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

/** True for keys that equal or end in one of the usual names or of `more`. */
export function secretKeys(more: readonly string[] = []): IsSecret {
  const names = [...secretNames, ...more.map(plain)].filter((name) => name !== '');
  return (key) => {
    const name = plain(key);
    return names.some((secret) => name.endsWith(secret));
  };
}

/** Replaces the values of secret keys, at any depth. Returns the same object when nothing is secret. */
export function redactJson(value: Json, isSecret: IsSecret): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => redactJson(item, isSecret));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  // The string is searched too, because a model may write JSON into a string argument.
  if (typeof value === 'string')
    return value.includes('":') || value.includes('" ') ? redactText(value, isSecret) : value;
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, Json] => [
    key,
    isSecret(key) && member !== null ? redacted : redactJson(member, isSecret),
  ]);
  return entries.some(([key, member]) => member !== value[key]) ? Object.fromEntries(entries) : value;
}

/** Redacts text that may be JSON, a part of JSON, or contain JSON in a string. */
export function redactText(text: string, isSecret: IsSecret): string {
  return redactedText(text, isSecret, redacted);
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}
