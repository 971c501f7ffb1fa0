import type { ProviderSections } from '@/lib/cards/config';
import { endpointOf, type ModelEnv } from '@/lib/cards/models/endpoint';
import { factsOfModel } from '@/lib/cards/models/model-facts';
import table from '@/lib/cards/models/model-names.json';
import { isModelReference } from '@/lib/cards/models/model-string';
import { canonicalModel, nameModel } from '@/lib/cards/models/name-model';
import { modelsNamedIn, type NamedModels } from '@/lib/cards/models/named-models';
import { allProviders, findProvider, type Provider } from '@/lib/cards/models/providers';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { priceOfModel } from '@/lib/trace/cost';

/** A row of the model picker. */
export interface ModelChoice {
  /** As it is written on a card, or the name of a provider in a row that cannot be chosen. */
  readonly value: string;
  readonly label: string;
  readonly group: string;
  /** Price, context size and abilities, or what the name stands for, or the next step. */
  readonly note: string;
  /** More words to find it by. */
  readonly words?: string;
  /** True for a row that only says what to do. */
  readonly disabled?: boolean;
  /** The variable of the key that the models of this row need. The row is disabled for people who may not set it. */
  readonly key?: string;
}

/** What is known of a model, in words for people. Unknown parts are `undefined`. */
export interface ModelWords {
  /** Such as `$0.25 in, $2 out per million tokens`. */
  readonly price: string | undefined;
  /** Such as `272k tokens`. */
  readonly context: string | undefined;
  /** Such as `tools`, `vision`, `JSON schema`. */
  readonly abilities: readonly string[];
}

/** Describes a model string. Its price is looked up under its provider, its facts under its name in a request. */
export function describeModel(model: string): ModelWords {
  const named = nameModel(model);
  if (!named.ok) return { price: undefined, context: undefined, abilities: [] };
  const { name, provider } = named.value;
  const facts = factsOfModel(name);
  const price = priceOfModel(canonicalModel(model));
  const format = provider === undefined ? undefined : findProvider(provider)?.answerFormat;
  return {
    price: price && `$${price.input} in, $${price.output} out per million tokens`,
    context: facts && `${shortCount(facts.contextTokens)} tokens`,
    abilities: [
      ...(facts?.tools ? ['tools'] : []),
      ...(facts?.vision ? ['vision'] : []),
      ...(facts?.reasoning ? ['reasoning'] : []),
      ...(format === 'json_schema' ? ['JSON schema'] : format === 'json_object' ? ['JSON'] : []),
    ],
  };
}

/** Writes a number of tokens: `272k`, `1M`, `1.05M`. */
function shortCount(tokens: number): string {
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${Number((tokens / 1_000_000).toFixed(2))}M`;
}

/** Returns the same in one short line: US dollars per million tokens in and out, context size, abilities. */
function noteOf(model: string): string {
  const { price, context, abilities } = describeModel(model);
  const short = price?.replace(' in, ', ' / ').replace(' out per million tokens', '');
  const list = abilities.join(', ').replace('JSON schema', 'JSON');
  return [short, context?.replace(' tokens', ''), list].filter(Boolean).join(' · ');
}

/** Works like `choicesOf`, for a folder that has been read. */
export function modelChoices(
  parsed: Pick<ParsedFolder, 'cards' | 'config' | 'settings'>,
  sections: ProviderSections,
  here: ModelEnv | undefined,
): readonly ModelChoice[] {
  return choicesOf(modelsNamedIn(parsed), sections, here);
}

/**
 * Returns the models that can be picked: references and models of the project, models of providers that can be called here,
 * short names, test models, and last the providers without a key, each with its next step. Without `here` it is not known
 * who can be called, so no provider is left out.
 */
export function choicesOf(
  named: NamedModels,
  sections: ProviderSections,
  here: ModelEnv | undefined,
): readonly ModelChoice[] {
  const states = [...groupByTitle()].map(([title, providers]) => ({
    title,
    providers,
    isServed: here === undefined || providers.some((one) => isServed(one, sections, here)),
  }));
  const served = states.filter((one) => one.isServed);
  const names = new Set(served.flatMap(({ providers }) => providers.map(({ name }) => name)));
  const all = [
    ...ofProject(named),
    ...served.flatMap(({ title, providers }) => ofProvider(title, providers)),
    ...shortNames(names),
    ...testModels(named.hasScript),
    ...states.filter((one) => !one.isServed).flatMap(({ title, providers }) => withoutKey(title, providers)),
  ];
  // A model of the project that is in the list of its provider too is shown once.
  return [...new Map(all.toReversed().map((choice) => [choice.value, choice])).values()].toReversed();
}

/** Names of one provider (`google`, `googleoai`) stand together. Providers that cannot be called are left out. */
function groupByTitle(): ReadonlyMap<string, readonly Provider[]> {
  const groups = new Map<string, Provider[]>();
  for (const provider of allProviders()) {
    if (provider.unreachable !== undefined) continue;
    const group = groups.get(provider.title);
    if (group === undefined) groups.set(provider.title, [provider]);
    else group.push(provider);
  }
  return groups;
}

function isServed({ name, firstModel }: Provider, sections: ProviderSections, here: ModelEnv): boolean {
  return endpointOf(`${name}.${firstModel ?? 'model'}`, sections, here).ok;
}

const ofProjectGroup = 'In this project';

function ofProject({ references: spaces, models }: NamedModels): ModelChoice[] {
  const references = Object.entries(spaces).flatMap(([space, group]) =>
    Object.entries(group).map(([key, model]) => ({
      value: `$${space}.${key}`,
      label: `$${space}.${key}`,
      group: ofProjectGroup,
      note: `stands for ${model}`,
    })),
  );
  const own = [...new Set(models.map((model) => model?.trim()))].flatMap((model) =>
    model === undefined || model === '' || isModelReference(model)
      ? []
      : [{ value: model, label: model, group: ofProjectGroup, note: noteOf(model) }],
  );
  return [...references, ...own];
}

const names: Readonly<Record<string, readonly string[]>> = table.models;
const dated = /-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/** Lists the models of a provider, the inexpensive one that a blank project begins with first. Dated names are left out. */
function ofProvider(title: string, providers: readonly Provider[]): ModelChoice[] {
  const models = providers.flatMap(({ name, firstModel }) => [
    ...(firstModel === undefined ? [] : [`${name}.${firstModel}`]),
    ...(names[name] ?? [])
      .filter((model) => model !== firstModel && !dated.test(model))
      .map((model) => `${name}.${model}`),
  ]);
  const [{ name, local } = { name: '', local: false }] = providers;
  const more = {
    value: `${name}.`,
    label: `${name}.NAME`,
    group: title,
    note: local ? `Type ${name}. and a model of that server` : 'Type the name of any other model',
    disabled: true,
  };
  return [
    ...models.map((model) => ({
      value: model,
      label: model,
      group: title,
      note: noteOf(model),
      words: wordsOf(model),
    })),
    more,
  ];
}

/** Returns the short names of a model. */
function wordsOf(model: string): string {
  const named = nameModel(model);
  if (!named.ok) return '';
  const { provider, name } = named.value;
  return table.aliases
    .filter((alias) => alias.provider === provider && alias.model === name)
    .flatMap((alias) => alias.names)
    .join(' ');
}

function shortNames(served: ReadonlySet<string>): ModelChoice[] {
  return table.aliases.flatMap(({ provider, model, names: aliases, ...rest }) => {
    if (!served.has(provider)) return [];
    const settings = 'query' in rest && rest.query !== undefined ? `?${rest.query}` : '';
    return aliases.map((alias) => ({
      value: alias,
      label: alias,
      group: 'Short names',
      note: `${provider}.${model}${settings}`,
    }));
  });
}

function testModels(hasScript: boolean): ModelChoice[] {
  const group = 'Without a provider';
  const row = (value: string, note: string) => ({ value, label: value, group, note, words: 'test model no key' });
  return [
    ...(hasScript ? [row('script', 'Answers of callboard.yaml')] : []),
    row('passthrough', 'Repeats each message'),
    row('silent', 'Repeats each message and counts no tokens'),
    row('slow', 'Repeats each message after three seconds'),
  ];
}

/** One row for a provider, which the names of all its models find. */
function withoutKey(title: string, providers: readonly Provider[]): ModelChoice[] {
  const [first] = providers;
  if (first === undefined) return [];
  const models = providers.flatMap(({ name }) => names[name] ?? []);
  const aliases = table.aliases.filter(({ provider }) => providers.some(({ name }) => name === provider));
  const [key] = first.keys;
  // Without an address a key serves nothing.
  const isReady = first.address !== undefined && key !== undefined;
  return [
    {
      value: first.name,
      label: title,
      group: 'Providers without a key',
      note: isReady ? `Set key… ${key}` : 'Needs an address of your own',
      words: [...models, ...aliases.flatMap((alias) => alias.names)].join(' '),
      disabled: true,
      ...(isReady ? { key } : {}),
    },
  ];
}
