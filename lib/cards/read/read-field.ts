import type { DialectContext } from '@/lib/cards/dialects/form/dialect';
import { openText } from '@/lib/cards/dialects/open-text';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { Path } from '@/lib/cards/yaml/yaml-source';

/**
 * Returns the raw content of a card or YAML file, for edits; of a file of another program, what it stands for as a card. Returns
 * `undefined` when the YAML cannot be parsed.
 */
export function readDocument(text: string, file: string, context?: DialectContext): unknown {
  return openText(file, text, context)?.yaml?.value;
}

/** Returns the value at a path. Returns `undefined` when it does not exist. */
export function fieldOf(document: unknown, path: Path): unknown {
  let value = document;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step];
    else if (isMapping(value) && Object.hasOwn(value, String(step))) value = value[String(step)];
    else return undefined;
  }
  return value;
}
