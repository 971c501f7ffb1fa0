import { splitSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { type Path, parseYaml } from '@/lib/cards/yaml/yaml-source';

/** Returns the raw content of a card or YAML file, for edits. Returns `undefined` when the YAML cannot be parsed. */
export function readDocument(text: string, file: string): unknown {
  const { yaml } = splitSource(file, text);
  return yaml === undefined ? undefined : parseYaml(yaml).value;
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
