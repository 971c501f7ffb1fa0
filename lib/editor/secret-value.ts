/** A value whose end is a variable of the installation: `Bearer ${TOKEN}`. */
export interface SecretReference {
  readonly before: string;
  readonly name: string;
}

/** Returns the reference in a value, or `undefined` for any other text, such as one with two references or a default. */
export function secretReference(value: string): SecretReference | undefined {
  const found = /^([^$]*)\$\{([A-Za-z_]\w*)\}$/.exec(value);
  return found?.[2] === undefined ? undefined : { before: found[1] ?? '', name: found[2] };
}

export function secretValue({ before, name }: SecretReference): string {
  return `${before}\${${name}}`;
}

/** Returns why a name cannot be used for a variable (`env`) or a header, or `undefined` if it can. */
export function pairNameFault(key: 'env' | 'headers', name: string, others: readonly string[]): string | undefined {
  if (name === '') return undefined;
  if (others.includes(name))
    return `There is another ${key === 'env' ? 'variable' : 'header'} '${name}'. Use another name.`;
  if (key === 'env') return /^[^\s=]+$/.test(name) ? undefined : 'A variable has no spaces and no = in its name.';
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name) ? undefined : 'A header has only letters, digits and - in its name.';
}
