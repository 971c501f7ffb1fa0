import { shownUrl } from '@/lib/base/called-address';
import { canonicalJson } from '@/lib/base/canonical-json';
import { own } from '@/lib/base/own';
import type { Card } from '@/lib/cards/card';
import type { ProviderSettings } from '@/lib/cards/config';
import { parseModel, resolveModelReference } from '@/lib/cards/models/model-string';
import { type Found, listChange, otherChange, switchChange } from './capability-change';
import { type AgentPair, both, type Side, type Sides } from './project-side';

/** The default model, and where models are called. */
export function modelChanges({ before, after }: Sides): Found[] {
  const [old, now] = [before.parsed.config, after.parsed.config];
  const scripted = ({ parsed }: Side) => Object.keys(parsed.settings.scripts);
  return [
    ...otherChange(
      { kind: 'model', subject: { field: 'default_model' }, at: { config: ['default_model'] } },
      resolved(before, old.defaultModel),
      resolved(after, now.defaultModel),
      (was, is) => modelWords('The default model', was, is),
    ),
    ...both(Object.keys(old.providers), Object.keys(now.providers)).flatMap((name) =>
      providerChanges(name, own(old.providers, name), own(now.providers, name)),
    ),
    ...listChange(
      (agent) => ({ kind: 'model', subject: { agent }, at: { settings: ['scripts', agent] } }),
      scripted(before),
      scripted(after),
      (agent, isNew) => `The answers of agent '${agent}' are ${isNew ? 'now' : 'no longer'} played from a script.`,
      'same-but-different',
    ),
    ...scripted(after).flatMap((agent) => {
      const [was, is] = [before, after].map(({ parsed }) => own(parsed.settings.scripts, agent));
      if (was === undefined || is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
      const sentence = `The script of agent '${agent}' is different. It says which tools are called in a run without a model.`;
      return [scriptChange(agent, sentence)];
    }),
  ];
}

function scriptChange(agent: string, sentence: string): Found {
  return {
    kind: 'model',
    weight: 'same-but-different',
    sentence,
    subject: { agent },
    at: { settings: ['scripts', agent] },
  };
}

/** An agent without a model of its own follows the default, which is told once. */
export function cardModelChanges(
  { before, after }: Sides,
  { name, card, before: was, after: is, isKept, isMoved }: AgentPair,
): Found[] {
  const about = (field: string) => ({
    kind: 'model' as const,
    subject: { agent: name, field },
    at: { agent: name, path: [field] },
  });
  if (isMoved) return [];
  if (!isKept) {
    const model = writtenModel(card.after ?? card.before);
    if (model === undefined) return [];
    const used = `'${resolved(card.after === undefined ? before : after, model) ?? model}'`;
    const sentence = `Agent '${name}' ${card.after === undefined ? 'no longer uses' : 'uses'} the model ${used}.`;
    return [{ ...about('model'), weight: 'same-but-different', sentence }];
  }
  const [old, now] = [effective(before, card.before), effective(after, card.after)];
  const isOwn = writtenModel(card.before) !== undefined || writtenModel(card.after) !== undefined;
  return [
    ...(isOwn && old !== now
      ? otherChange(about('model'), old, now, (from, to) => modelWords(`The model of agent '${name}'`, from, to))
      : []),
    ...otherChange(
      about('subagent_model'),
      resolved(before, was.subagentModel),
      resolved(after, is.subagentModel),
      (from, to) => modelWords(`The model of subagents of agent '${name}'`, from, to),
    ),
    ...switchChange(
      about('api_key'),
      was.apiKey !== undefined,
      is.apiKey !== undefined,
      {
        on: `Agent '${name}' now calls its model with a key of its own.`,
        off: `Agent '${name}' no longer calls its model with a key of its own.`,
      },
      'same-but-different',
    ),
    ...(was.apiKey !== undefined && is.apiKey !== undefined && was.apiKey !== is.apiKey
      ? [
          {
            ...about('api_key'),
            weight: 'same-but-different' as const,
            sentence: `The key with which agent '${name}' calls its model is different.`,
          },
        ]
      : []),
  ];
}

export function modelWords(subject: string, from: string | undefined, to: string | undefined): string {
  if (to === undefined) return `${subject} is no longer set. It was '${from}'.`;
  if (from === undefined) return `${subject} is now '${to}'. None was set.`;
  const [old, now] = [providerOf(from), providerOf(to)];
  const provider = old === now || now === undefined ? '' : `, of the provider '${now}'`;
  return `${subject} is now '${to}'${provider}, instead of '${from}'.`;
}

function providerOf(model: string): string | undefined {
  const spec = parseModel(model);
  return spec.ok ? spec.value.provider : undefined;
}

function writtenModel(card: Card | undefined): string | undefined {
  return card !== undefined && 'model' in card ? card.model : undefined;
}

function effective(side: Side, card: Card | undefined): string | undefined {
  return resolved(side, writtenModel(card) ?? side.parsed.config.defaultModel);
}

export function resolved({ parsed }: Side, model: string | undefined): string | undefined {
  if (model === undefined) return undefined;
  const found = resolveModelReference(model, parsed.config.modelReferences);
  return found.ok ? found.value : model;
}

const noProvider: ProviderSettings = {
  apiKey: undefined,
  baseUrl: undefined,
  headers: {},
  defaultModel: undefined,
  reasoning: undefined,
  wire: undefined,
  cacheMode: undefined,
  azure: undefined,
};

function providerChanges(name: string, before = noProvider, after = noProvider): Found[] {
  const about = (field: string) => ({
    kind: 'model' as const,
    subject: { field: `${name}.${field}` },
    at: { config: [name, field] },
  });
  const address = (url: string | undefined) => (url === undefined ? 'their usual address' : shownUrl(url));
  const isDifferent = (old: string | undefined, now: string | undefined) =>
    old !== undefined && now !== undefined && old !== now;
  return [
    ...otherChange(about('base_url'), before.baseUrl, after.baseUrl, (old, now) => {
      return `The models of the provider '${name}' are now called at ${address(now)} instead of ${address(old)}.`;
    }).map((found): Found => {
      const weight = before.baseUrl === undefined ? 'more' : after.baseUrl === undefined ? 'less' : found.weight;
      return { ...found, weight, before: address(before.baseUrl), after: address(after.baseUrl) };
    }),
    ...switchChange(
      about('api_key'),
      before.apiKey !== undefined,
      after.apiKey !== undefined,
      {
        on: `The models of the provider '${name}' are now called with a key of the folder.`,
        off: `The models of the provider '${name}' are no longer called with a key of the folder.`,
      },
      'same-but-different',
    ),
    ...(isDifferent(before.apiKey, after.apiKey)
      ? [
          {
            ...about('api_key'),
            weight: 'same-but-different' as const,
            sentence: `The key of the provider '${name}' in the folder is different.`,
          },
        ]
      : []),
    ...listChange(
      about('default_headers'),
      Object.keys(before.headers),
      Object.keys(after.headers),
      (header, isNew) => {
        return `The models of the provider '${name}' ${isNew ? 'now get' : 'no longer get'} the header '${header}'.`;
      },
    ),
    ...Object.keys(after.headers)
      .filter((key) => (own(before.headers, key) ?? after.headers[key]) !== after.headers[key])
      .map((key): Found => {
        const sentence = `The value of the header '${key}' of the provider '${name}' is different.`;
        return { ...about('default_headers'), weight: 'same-but-different', sentence };
      }),
    ...otherChange(about('default_model'), before.defaultModel, after.defaultModel, (old, now) =>
      modelWords(`The default model of the provider '${name}'`, old, now),
    ),
    ...otherChange(about('reasoning'), before.reasoning, after.reasoning, (old, now) => {
      return `The reasoning effort of the provider '${name}' is now '${now ?? 'its default'}' instead of '${old ?? 'its default'}'.`;
    }),
    ...otherChange(about('wire'), before.wire, after.wire, (old, now) => {
      return `The models of the provider '${name}' are now called in the format '${now ?? 'usual'}' instead of '${old ?? 'usual'}'.`;
    }),
    ...otherChange(about('cache_mode'), before.cacheMode, after.cacheMode, (old, now) => {
      return `The cache of the provider '${name}' is now '${now ?? 'auto'}' instead of '${old ?? 'auto'}'.`;
    }),
    ...otherChange(
      about('azure'),
      azureOf(before),
      azureOf(after),
      () => `The Azure settings of the provider '${name}' are different.`,
    ).map(({ before: _, after: __, ...found }) => found),
  ];
}

function azureOf({ azure }: ProviderSettings): string | undefined {
  if (azure === undefined) return undefined;
  const { resourceName = null, deployment = null, apiVersion = null, usesAccount } = azure;
  return canonicalJson([resourceName, deployment, apiVersion, usesAccount]);
}
