import { type Bindings, misplaced } from '@/lib/base/places';
import { howToGive, type ProjectEnv } from '@/lib/base/project-env';
import { err, ok, type Result } from '@/lib/base/result';
import { fillVariables } from '@/lib/base/variables';
import type { ProviderSections, ProviderSettings } from '@/lib/cards/config';
import { noKeyFor, setKeyStep } from './missing-key';
import { type NamedModel, nameModel } from './name-model';
import {
  type AnswerFormat,
  findProvider,
  isWireName,
  type Provider,
  type ProviderVariables,
  shownAddress,
  type WireName,
} from './providers';

/** The address and key for requests to a model. */
export interface Endpoint {
  /** The name of the provider in fast-agent. */
  readonly provider: string;
  readonly model: NamedModel;
  /** The format of requests and answers. */
  readonly wire: WireName;
  /** What the provider keeps between requests: nothing, the instruction and the tools, or the conversation too. */
  readonly cacheMode: 'off' | 'prompt' | 'auto';
  /** The base address, without a trailing slash. */
  readonly address: string;
  /** Who set the address: the table, an operator, or the folder. An address from a folder is checked by the address guard. */
  readonly from: 'provider' | 'operator' | 'folder';
  /** With `undefined` no key is sent. */
  readonly key: string | undefined;
  /** Headers from the folder. They are never sent to an operator's address. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `api-version` of Azure, which expects the key in the header `api-key`. */
  readonly apiVersion: string | undefined;
  /** True if the address guard must check the address. */
  readonly guarded: boolean;
  /** The strongest response format to ask for; `undefined` means none. */
  readonly answerFormat: AnswerFormat | undefined;
  /** True if a request with tools may have a response format too. */
  readonly answerFormatWithTools: boolean;
  /** A sentence that tells users what to do when the key is rejected. */
  readonly keyStep: string;
  /** The name of the setting for the address, such as `OPENAI_BASE_URL`, for messages. */
  readonly addressSetting: string;
}

/** The settings of an installation for calling models. */
export interface ModelEnv {
  /** The operator's keys and addresses. For checks alone, a key may be any text. */
  readonly variables: ProviderVariables;
  readonly projectEnv: ProjectEnv;
  /** Where values of `projectEnv` may go. */
  readonly bound?: Bindings | undefined;
  /** False if `projectEnv` has names without values, as in the web process. */
  readonly hasValues: boolean;
}

/** The provider of models that the runtime itself implements. */
const internal = 'fast-agent';
const defaultApiVersion = '2024-10-21';

/**
 * Finds the endpoint of a model, for checks, the start of a run and each request. `sections` are those of the folder, with
 * its secrets file. The error is a sentence with the next step. Returns `undefined` if the model needs no provider.
 *
 * An operator's key is sent to the provider's own host or to the operator's address only, never to an address from a
 * folder.
 */
export function endpointOf(
  text: string,
  sections: ProviderSections,
  env: ModelEnv,
): Result<Endpoint | undefined, string> {
  const named = nameModel(text);
  if (!named.ok) return named;
  if (named.value.provider === internal) return ok(undefined);
  const asked = withSectionModel(named.value, sections) ?? withOwnServer(named.value, sections, env);
  const provider = asked.provider === undefined ? undefined : findProvider(asked.provider);
  if (provider === undefined) {
    return err(
      `No provider is known for model '${text}'. Write it as provider.model, such as openai.${asked.name} or generic.${asked.name}.`,
    );
  }
  const settings = mergeSections(provider, sections);
  const reason = provider.unreachable ?? (settings.azure?.usesAccount ? 'keys alone are used here' : undefined);
  if (reason !== undefined) {
    return err(
      `Model '${text}' is not served: ${provider.title} cannot be called here, for ${reason}. Choose a model of another provider, or reach it through a server of OpenAI's format: generic.${asked.name} with 'base_url' under 'generic' in fast-agent.yaml.`,
    );
  }
  return connect(text, asked, provider, settings, env);
}

/** Replaces `generic` without a model by the default model of its section. */
function withSectionModel({ provider, name, query }: NamedModel, sections: ProviderSections): NamedModel | undefined {
  const alone = provider === undefined ? findProvider(name) : undefined;
  const settings = alone && mergeSections(alone, sections);
  const model = settings?.defaultModel ?? settings?.azure?.deployment;
  if (alone === undefined || model === undefined) return undefined;
  const inner = nameModel(model);
  if (!inner.ok) return undefined;
  const isOwn = inner.value.provider === alone.name;
  return {
    provider: alone.name,
    name: isOwn ? inner.value.name : model.replace(/\?.*$/s, ''),
    query: new Map([...inner.value.query, ...query]),
  };
}

/** Gives an unknown model to the configured OpenAI-compatible server, and never to OpenAI. */
function withOwnServer(named: NamedModel, sections: ProviderSections, { variables }: ModelEnv): NamedModel {
  const openai = findProvider('openai');
  if (named.provider !== undefined || openai === undefined) return named;
  const own = sections.openai?.baseUrl ?? firstSet(openai.addresses, variables)?.value;
  const isOwn = own !== undefined && !isSameOrigin(own, openai.address);
  return isOwn ? { ...named, provider: openai.name } : named;
}

function mergeSections(provider: Provider, sections: ProviderSections): ProviderSettings {
  const found = provider.sections.flatMap((name) => (Object.hasOwn(sections, name) ? (sections[name] ?? []) : []));
  const first = <K extends keyof ProviderSettings>(key: K): ProviderSettings[K] | undefined =>
    found.find((section) => section[key] !== undefined)?.[key];
  return {
    apiKey: first('apiKey'),
    baseUrl: first('baseUrl'),
    headers: found.find(({ headers }) => Object.keys(headers).length > 0)?.headers ?? {},
    defaultModel: first('defaultModel'),
    reasoning: first('reasoning'),
    wire: first('wire'),
    cacheMode: first('cacheMode'),
    azure: first('azure'),
  };
}

function connect(
  text: string,
  asked: NamedModel,
  provider: Provider,
  settings: ProviderSettings,
  env: ModelEnv,
): Result<Endpoint, string> {
  const missing = new Set<string>();
  const used = new Set<string>();
  const fill = (value: string) =>
    fillVariables(value, ({ name, fallback }) => {
      if (Object.hasOwn(env.projectEnv, name)) used.add(name);
      return fillOne(name, fallback, env, missing);
    });
  const written = settings.azure?.resourceName
    ? (settings.baseUrl ?? `https://${settings.azure.resourceName}.openai.azure.com`)
    : settings.baseUrl;
  const ofFolder = written === undefined ? undefined : baseOf(fill(written), provider);
  const folderKey = settings.apiKey === undefined ? undefined : fill(settings.apiKey);
  const headers = Object.fromEntries(Object.entries(settings.headers).map(([name, value]) => [name, fill(value)]));
  const section = provider.sections[0] ?? provider.name;
  const [unfilled] = missing;
  if (unfilled !== undefined) {
    const why = Object.hasOwn(env.projectEnv, unfilled)
      ? `${unfilled} is listed but not set. Set it.`
      : howToGive(unfilled);
    return err(`Model '${text}' is not served: section '${section}' asks for the variable ${unfilled}. ${why}`);
  }
  const ofOperator = firstSet(provider.addresses, env.variables);
  const operatorBase = ofOperator && baseOf(ofOperator.value, provider);
  const address = ofFolder ?? operatorBase ?? provider.address;
  if (address === undefined) {
    return err(
      `Model '${text}' is not served: ${provider.title} has no address here. Set ${provider.addresses[0]}, or 'base_url' under '${section}' in fast-agent.yaml.`,
    );
  }
  if (!address.includes('${') && !/^https?:\/\/[^/]/i.test(address)) {
    return err(
      `Model '${text}' is not served: '${shownAddress(address)}' is not an address. Write it as https://host/path.`,
    );
  }
  const strayed = URL.canParse(address) ? misplaced(used, new URL(address).host, env.bound) : undefined;
  if (strayed !== undefined) return err(`Model '${text}' is not served: ${strayed}`);
  const from =
    address === operatorBase && folderKey === undefined
      ? ('operator' as const)
      : isSameOrigin(address, provider.address)
        ? ('provider' as const)
        : ofFolder === undefined
          ? ('operator' as const)
          : ('folder' as const);
  const operatorKey = from === 'folder' ? undefined : firstSet(provider.keys, env.variables);
  const key = folderKey ?? operatorKey?.value;
  if (key === undefined && from === 'provider' && !provider.local) {
    return err(`Model '${text}' is not served: ${noKeyFor(provider)}`);
  }
  const wire = wireOf(provider, settings, asked.name, isSameOrigin(address, provider.address));
  return ok({
    provider: provider.name,
    model: withReasoning(asked, settings.reasoning),
    wire,
    cacheMode: settings.cacheMode === 'off' || settings.cacheMode === 'prompt' ? settings.cacheMode : 'auto',
    address: provider.azure ? deploymentAddress(address, asked.name) : address,
    from,
    key,
    headers: from === 'operator' ? {} : headers,
    apiVersion:
      provider.azure && !isVersionless(address) ? (settings.azure?.apiVersion ?? defaultApiVersion) : undefined,
    guarded: from === 'folder' || (from === 'provider' && provider.local),
    answerFormat: wire === 'messages' ? 'json_schema' : provider.answerFormat,
    // Another server at the address of OpenAI's provider may force the format on the model, which then calls no tools.
    answerFormatWithTools:
      wire === 'messages' || (provider.answerFormatWithTools && (provider.azure || from === 'provider')),
    keyStep: keyStepOf(from, folderKey !== undefined, section, provider),
    addressSetting: ofFolder === undefined ? (provider.addresses[0] ?? '') : `'base_url' under '${section}'`,
  });
}

/**
 * Returns the format of requests: the one that the section names, or the provider's usual one. OpenAI itself is called in its own
 * format, where its reasoning models keep their reasoning. Other servers at the address of its provider know chat completions.
 */
function wireOf({ name, wires }: Provider, { wire }: ProviderSettings, model: string, isOwnHost: boolean): WireName {
  if (wire !== undefined && isWireName(wire) && wires.includes(wire)) return wire;
  const [usual = 'chat'] = wires;
  if (usual !== 'responses' || !wires.includes('chat')) return usual;
  return isOwnHost && (name === 'responses' || reasoningModel.test(model)) ? 'responses' : 'chat';
}

/** The names of OpenAI's reasoning models. */
const reasoningModel = /^(?:gpt-(?:[5-9]|\d\d)(?!.*-search)|o\d|codex)/i;

function keyStepOf(from: Endpoint['from'], hasFolderKey: boolean, section: string, { keys }: Provider): string {
  const [variable = ''] = keys;
  const ofFolder = `'api_key' under '${section}' in fast-agent.yaml`;
  if (hasFolderKey) return `Correct the secret that ${ofFolder} names.`;
  if (from !== 'folder') return `${setKeyStep(variable)} It must be a key that may use the model.`;
  return `${variable} is not sent to an address that a folder names: store the key of that server as a secret of the project, and name it as \${NAME} in ${ofFolder}.`;
}

function fillOne(name: string, fallback: string | undefined, env: ModelEnv, missing: Set<string>): string {
  const isListed = Object.hasOwn(env.projectEnv, name);
  const value = isListed ? env.projectEnv[name] : undefined;
  if (value !== undefined) return value;
  if (isListed && !env.hasValues) return `\${${name}}`;
  if (fallback === undefined) missing.add(name);
  return fallback ?? '';
}

function firstSet(names: readonly string[], variables: ProviderVariables) {
  for (const name of names) {
    const value = variables[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

/** Returns the base address without a trailing slash. The host of a provider without a path gets the provider's path. */
function baseOf(written: string, provider: Provider): string {
  const base = written.trim().replace(/\/{1,16}$/, '');
  if (provider.address === undefined || !isSameOrigin(base, provider.address)) return base;
  const { pathname, search } = new URL(base);
  return pathname === '/' && search === '' ? provider.address : base;
}

function isSameOrigin(address: string, other: string | undefined): boolean {
  if (other === undefined || !URL.canParse(address)) return false;
  return new URL(address).origin === new URL(other).origin;
}

/** True for Azure's OpenAI-compatible path, which needs no version. */
function isVersionless(address: string): boolean {
  return /\/openai\/v1$/.test(address);
}

function deploymentAddress(address: string, deployment: string): string {
  if (isVersionless(address) || /\/openai\/deployments\//.test(address)) return address;
  return `${address.replace(/\/openai$/, '')}/openai/deployments/${encodeURIComponent(deployment)}`;
}

function withReasoning(model: NamedModel, reasoning: string | undefined): NamedModel {
  if (reasoning === undefined || model.query.has('reasoning')) return model;
  return { ...model, query: new Map([...model.query, ['reasoning', reasoning]]) };
}
