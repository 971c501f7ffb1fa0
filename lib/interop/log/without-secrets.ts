import { isRecord, type JsonObject } from '@/lib/base/json';
import { redactJson, secretKeys } from '@/lib/base/redact';

const isSecret = secretKeys();

/** Returns attributes of a source with the values of secret names redacted. */
export function withoutSecrets(attributes: JsonObject): JsonObject {
  const clean = redactJson(attributes, isSecret);
  return isRecord(clean) ? (clean as JsonObject) : {};
}
