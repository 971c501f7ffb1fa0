import { isJsonTooLarge } from '@/lib/base/json-size';

/** The largest message of a server, such as a result or a page of a list. A larger one ends the connection. */
export const maxMessageBytes = 32 * 1024 * 1024;
const maxValues = 500_000;
const maxDepth = 1_000;

/** True when parsing a message would need many times its size in memory, or when it is nested too deeply to serialise. */
export function isTooManyValues(text: string): boolean {
  return isJsonTooLarge(text, maxValues, maxDepth);
}

/** The reason for closing a connection, as the end of a sentence that begins with the server's name. */
export const tooLarge = `sent a message of more than ${maxMessageBytes / 1024 / 1024} MiB`;
export const tooManyValues = `sent a message of more than ${maxValues} values or ${maxDepth} levels`;
