import { endOfString } from './json-size';

/**
 * Returns the first key that one object of a JSON text has twice, or `undefined`. Parsers differ in which of two values counts, so a
 * text with both can be checked as one thing and used as another. Keys are compared as they are read: `"a"` is `"\u0061"`.
 * Reads each character once. The text must be valid JSON.
 */
export function repeatedKeyOf(json: string): string | undefined {
  /** The keys of each open object, and `undefined` for each open list. */
  const open: (Set<string> | undefined)[] = [];
  let keys: Set<string> | undefined;
  let isKey = false;
  for (let i = 0; i < json.length; i += 1) {
    switch (json[i]) {
      case '"': {
        const end = endOfString(json, i);
        if (isKey) {
          const key: string = JSON.parse(json.slice(i, end + 1));
          if (keys?.has(key)) return key;
          keys?.add(key);
          isKey = false;
        }
        i = end;
        break;
      }
      case '{':
        open.push(keys);
        keys = new Set();
        isKey = true;
        break;
      case '[':
        open.push(keys);
        keys = undefined;
        break;
      case '}':
      case ']':
        keys = open.pop();
        isKey = false;
        break;
      case ',':
        isKey = keys !== undefined;
        break;
    }
  }
  return undefined;
}
