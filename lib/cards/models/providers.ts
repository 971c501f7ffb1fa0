import table from './providers.json';

export type AnswerFormat = 'json_schema' | 'json_object';
/** The format of requests: OpenAI's chat completions, Anthropic's Messages, or OpenAI's Responses. */
export type WireName = 'chat' | 'messages' | 'responses';

/** Describes how to call a provider's models. The sources are in sources.md in this folder. */
export interface Provider {
  readonly name: string;
  /** The name for users. */
  readonly title: string;
  /** The base address, without a trailing slash. `undefined` if it has none of its own, or is `unreachable`. */
  readonly address: string | undefined;
  /** True if the address is on this machine and needs no key. */
  readonly local: boolean;
  /** True if it is called as Azure OpenAI: by deployment, with `api-version` and the header `api-key`. */
  readonly azure: boolean;
  /** The model with which a blank project begins, without the provider; `undefined` if none is known. */
  readonly firstModel: string | undefined;
  /** The formats in which its models can be called; the usual one is the first. */
  readonly wires: readonly WireName[];
  /** Completes the sentence "is not called here: …", for providers with another way of calling. */
  readonly unreachable: string | undefined;
  /**
   * The strongest `response_format` that its chat completions take: a JSON schema, or any JSON object. `undefined` if they
   * ignore or refuse the parameter.
   */
  readonly answerFormat: AnswerFormat | undefined;
  /** True if a request may have both a response format and tools, and the model still calls the tools. */
  readonly answerFormatWithTools: boolean;
  /** Environment variables for the key. The first one that is set is used. */
  readonly keys: readonly string[];
  /** Environment variables for the operator's address. */
  readonly addresses: readonly string[];
  /** Sections of fast-agent.yaml. Each setting is taken from the first section that has it. */
  readonly sections: readonly string[];
}

type Row = Pick<Provider, 'title' | 'keys' | 'addresses' | 'sections'> &
  Partial<Omit<Provider, 'answerFormat' | 'wires'>> & {
    readonly answerFormat?: string;
    readonly wires?: readonly string[];
  };

const rows: Readonly<Record<string, Row>> = table;

const absent = {
  address: undefined,
  local: false,
  azure: false,
  firstModel: undefined,
  unreachable: undefined,
  answerFormatWithTools: false,
};

const providers: ReadonlyMap<string, Provider> = new Map(
  Object.entries(rows).map(([name, row]) => [
    name,
    { ...absent, ...row, name, answerFormat: answerFormatOf(row), wires: wiresOf(row) },
  ]),
);

function wiresOf({ wires }: Row): readonly WireName[] {
  return wires?.filter(isWireName) ?? ['chat'];
}

export function isWireName(name: string): name is WireName {
  return name === 'chat' || name === 'messages' || name === 'responses';
}

function answerFormatOf({ answerFormat }: Row): AnswerFormat | undefined {
  return answerFormat === 'json_schema' || answerFormat === 'json_object' ? answerFormat : undefined;
}

export function findProvider(name: string): Provider | undefined {
  return providers.get(name);
}

/** Returns all providers in the order of the table. */
export function allProviders(): readonly Provider[] {
  return [...providers.values()];
}

/** The names of provider sections in fast-agent.yaml. */
export const providerSections: ReadonlySet<string> = new Set(
  [...providers.values()].flatMap(({ sections }) => sections),
);

/** Environment variables for keys of providers. */
export const keyVariables: readonly string[] = [...new Set([...providers.values()].flatMap(({ keys }) => keys))];

/** Environment variables for addresses of providers. */
export const addressVariables: readonly string[] = [
  ...new Set([...providers.values()].flatMap(({ addresses }) => addresses)),
];

/** The values of those variables, by name. */
export type ProviderVariables = Readonly<Record<string, string | undefined>>;

/** Picks those variables from an environment. An empty value counts as not set. */
export function pickProviderVariables(source: ProviderVariables): ProviderVariables {
  return Object.fromEntries(
    [...keyVariables, ...addressVariables].flatMap((name) => {
      const value = source[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** Removes secrets: a key becomes a mark that it is set, an address loses its user and query. */
export function shownProviderVariables(variables: ProviderVariables): ProviderVariables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value === undefined || !addressVariables.includes(name) ? value && 'set' : shownAddress(value),
    ]),
  );
}

/** Returns scheme, host and path of an address. */
export function shownAddress(address: string): string {
  return address.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '');
}
