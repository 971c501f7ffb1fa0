import { isScalar } from 'yaml';

/** A fault in the YAML. `offset` counts from the start of the file. */
export interface YamlFault {
  readonly code: 'yaml-syntax' | 'yaml-tag' | 'yaml-key' | 'yaml-alias' | 'yaml-too-deep';
  readonly message: string;
  readonly offset: number;
}

/** A key that occurs twice in a mapping. The last one is used, as in PyYAML. */
export interface RepeatedKey {
  readonly key: string;
  readonly offset: number;
}

/** A key that is not a string (`1:`, `yes:`), with the path of its mapping. */
export interface OddKey {
  readonly parent: readonly (string | number)[];
  readonly key: string;
  readonly offset: number;
}

/** Returns the text of a scalar key as an object key. */
export function keyText(key: unknown): string {
  if (!isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}
