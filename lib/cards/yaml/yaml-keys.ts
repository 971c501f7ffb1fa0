import { isScalar } from 'yaml';

/** Something wrong with the YAML itself. `offset` counts from the start of the file. */
export interface YamlFault {
  readonly code: 'yaml-syntax' | 'yaml-tag' | 'yaml-key' | 'yaml-alias' | 'yaml-too-deep';
  readonly message: string;
  readonly offset: number;
}

/** A key given twice in one mapping: the last one counts, as in PyYAML. */
export interface RepeatedKey {
  readonly key: string;
  readonly offset: number;
}

/** A key that is not a string (`1:`, `yes:`), by the path of its mapping. */
export interface OddKey {
  readonly parent: readonly (string | number)[];
  readonly key: string;
  readonly offset: number;
}

/** Text of a scalar key, as object keys spell it. */
export function keyText(key: unknown): string {
  if (!isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}
