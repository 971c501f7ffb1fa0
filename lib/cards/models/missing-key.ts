import { allProviders, keyVariables, type Provider } from './providers';

/** Says that a provider has no key, and where to set one. It completes a sentence after a colon. */
export function noKeyFor({ title, keys: [variable = ''] }: Pick<Provider, 'title' | 'keys'>): string {
  return `there is no key for ${title}. ${setKeyStep(variable)}`;
}

/** Says where to set the key with this variable. The app shows a button beside each text that says it (`keyToSet`). */
export function setKeyStep(variable: string): string {
  return `Set ${variable} in Settings, Models and keys; a command line takes it from its environment.`;
}

const step = /\bSet ([A-Z][A-Z0-9_]{0,63}) in Settings, Models and keys/;

/** Returns the variable of the key that a text of `noKeyFor` or `setKeyStep` asks for, also inside a longer text. */
export function keyToSet(text: string): string | undefined {
  const variable = step.exec(text)?.[1];
  return variable !== undefined && keyVariables.includes(variable) ? variable : undefined;
}

/** A provider that takes a key, under the name that people know. Several names in model strings may share it. */
export interface KeyedProvider {
  readonly title: string;
  /** The variable under which a key is stored. */
  readonly variable: string;
  /** Further variables of the same key. */
  readonly others: readonly string[];
  /** The variables of an address of one's own. */
  readonly addresses: readonly string[];
  /** `undefined` if it has none of its own. */
  readonly address: string | undefined;
}

/** Returns the providers that can be called and need a key, in the order of the table. */
export function keyedProviders(): readonly KeyedProvider[] {
  const byTitle = new Map<string, KeyedProvider>();
  for (const { title, keys, address, addresses, local, unreachable } of allProviders()) {
    const [variable, ...others] = keys;
    if (variable === undefined || local || unreachable !== undefined || byTitle.has(title)) continue;
    byTitle.set(title, { title, variable, others, addresses, address });
  }
  return [...byTitle.values()];
}

/** Returns the name for people of the provider whose key has this variable. */
export function providerOfKey(variable: string): string {
  return allProviders().find(({ keys }) => keys.includes(variable))?.title ?? variable;
}
