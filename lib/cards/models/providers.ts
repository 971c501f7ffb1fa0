import table from './providers.json';

/** How a provider of models is reached with OpenAI's chat completions. Sources: sources.md in this folder. */
export interface Provider {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Base address without a slash at its end; undefined: it has none of its own, or `unreachable`. */
  readonly address: string | undefined;
  /** The address is this machine, and needs no key. */
  readonly local: boolean;
  /** Addressed as Azure OpenAI: by deployment, with `api-version` and the header `api-key`. */
  readonly azure: boolean;
  /** The end of the sentence "is not called here: …", for providers without chat completions. */
  readonly unreachable: string | undefined;
  /** Variables of the environment that hold a key; the first that is set counts. */
  readonly keys: readonly string[];
  /** Variables that hold an address of the operator's own. */
  readonly addresses: readonly string[];
  /** Sections of fast-agent.yaml; for each setting the first that has it counts. */
  readonly sections: readonly string[];
}

type Row = Pick<Provider, 'title' | 'keys' | 'addresses' | 'sections'> & Partial<Provider>;

const rows: Readonly<Record<string, Row>> = table;

const providers: ReadonlyMap<string, Provider> = new Map(
  Object.entries(rows).map(([name, row]) => [
    name,
    { address: undefined, local: false, azure: false, unreachable: undefined, ...row, name },
  ]),
);

export function findProvider(name: string): Provider | undefined {
  return providers.get(name);
}

/** In the order of the table. */
export function allProviders(): readonly Provider[] {
  return [...providers.values()];
}

/** Sections of fast-agent.yaml that are about a provider. */
export const providerSections: ReadonlySet<string> = new Set(
  [...providers.values()].flatMap(({ sections }) => sections),
);

/** Variables that hold an operator's keys of providers. */
export const keyVariables: readonly string[] = [...new Set([...providers.values()].flatMap(({ keys }) => keys))];

/** Variables that hold an operator's own addresses. */
export const addressVariables: readonly string[] = [
  ...new Set([...providers.values()].flatMap(({ addresses }) => addresses)),
];

/** What an operator has set of those variables, by name. */
export type ProviderVariables = Readonly<Record<string, string | undefined>>;

/** Those variables of an environment. A blank value counts as none. */
export function pickProviderVariables(source: ProviderVariables): ProviderVariables {
  return Object.fromEntries(
    [...keyVariables, ...addressVariables].flatMap((name) => {
      const value = source[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** The same without anything secret: of a key that it is set, of an address neither user nor query. */
export function shownProviderVariables(variables: ProviderVariables): ProviderVariables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value === undefined || !addressVariables.includes(name) ? value && 'set' : shownAddress(value),
    ]),
  );
}

/** Scheme, host and path of an address. */
export function shownAddress(address: string): string {
  return address.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '');
}
