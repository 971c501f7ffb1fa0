import { isJsonTooLarge } from '@/lib/base/json-size';

/** One message of a server: a result, a page of a list. A larger one ends the connection. */
export const maxMessageBytes = 32 * 1024 * 1024;
const maxValues = 500_000;
const maxDepth = 1_000;

/** True when parsing a message would take many times its size in memory, or more stack than there is to write it again. */
export function isTooManyValues(text: string): boolean {
  return isJsonTooLarge(text, maxValues, maxDepth);
}

/** Why a connection was given up, as the end of a sentence that begins with the server. */
export const tooLarge = `sent a message of more than ${maxMessageBytes / 1024 / 1024} MiB`;
export const tooManyValues = `sent a message of more than ${maxValues} values or ${maxDepth} levels`;
