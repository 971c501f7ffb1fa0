import { variablesIn } from '@/lib/base/variables';
import type { A2aCard } from '@/lib/cards/card';

export interface RemoteVariable {
  readonly name: string;
  /** True for `${NAME:default}`. */
  readonly hasDefault: boolean;
  /** The key of the card whose value names it. */
  readonly path: readonly string[];
}

/** Returns the variables in the address and the headers of a remote agent, which are filled when it is called. */
export function remoteVariables({ url, headers }: Pick<A2aCard, 'url' | 'headers'>): readonly RemoteVariable[] {
  const texts: [readonly string[], string][] = [
    [['url'], url],
    ...Object.entries(headers).map(([name, text]): [readonly string[], string] => [['headers', name], text]),
  ];
  return texts.flatMap(([path, text]) =>
    variablesIn(text).map(({ name, fallback }) => ({ name, hasDefault: fallback !== undefined, path })),
  );
}
