import { splitSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { type Path, parseYaml } from '@/lib/cards/yaml/yaml-source';

/**
 * A value as a card or YAML file has it, before any rule of the format: what an edit of that path works on. Undefined when
 * it is not written or the YAML cannot be read.
 */
export function readField(text: string, file: string, path: Path): unknown {
  const { yaml } = splitSource(file, text);
  let value: unknown = yaml === undefined ? undefined : parseYaml(yaml).value;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step];
    else if (isMapping(value) && Object.hasOwn(value, String(step))) value = value[String(step)];
    else return undefined;
  }
  return value;
}
