import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { endpointOf, type ModelEnv } from '@/lib/cards/models/endpoint';
import { findProvider, shownAddress, type WireName } from '@/lib/cards/models/providers';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { isScripted, resolveModel } from './resolve-model';

/** Says which provider would answer for an agent if the run names no model. Contains no key. */
export type ModelPreview =
  /** The project's script answers in place of every model. */
  | { readonly is: 'script' }
  /** A test model (`passthrough`): Callboard answers without a provider. */
  | { readonly is: 'internal'; readonly model: string }
  | ServedModel
  | { readonly is: 'unserved'; readonly message: string }
  /** Neither the card nor `default_model` names a model, so the agent runs on the model of whichever agent calls it. */
  | { readonly is: 'inherited'; readonly callers: readonly string[] }
  /** The agent has no model, and no agent calls it. */
  | { readonly is: 'missing'; readonly message: string };

export interface ServedModel {
  readonly is: 'served';
  /** The name for people, such as `Anthropic`. */
  readonly provider: string;
  /** The name in the request to the provider. */
  readonly model: string;
  /** The same with its provider in front, such as `openai.gpt-5-mini`. */
  readonly canonical: string;
  /** The name on the card or in `default_model`, if it is another one: an alias, a reference, a provider alone. */
  readonly alias: string | undefined;
  readonly from: 'card' | 'default_model';
  /** Scheme, host and path of the provider. */
  readonly address: string;
  /** The format of requests (docs/models.md, Formats). */
  readonly wire: WireName;
  /** `unneeded` means that no key is set and the address is this machine. */
  readonly key: 'set' | 'not set' | 'unneeded';
}

/**
 * Callers whose delegation names a model for the agent. That model ranks above `default_model` and below the card's own.
 */
export interface DelegatedModel {
  readonly caller: string;
  readonly model: string;
}

const runWithoutModel = { model: undefined };

/** Describes the model of a card. It uses the functions of a run: `resolveModel` and `endpointOf`. */
export function previewModel(parsed: ParsedFolder, folder: Folder, card: Card, here: ModelEnv): ModelPreview {
  if (isScripted(parsed, runWithoutModel)) return { is: 'script' };
  const resolved = resolveModel(card, parsed, runWithoutModel);
  if (!resolved.ok) {
    const callers = callersOf(parsed, card).map(({ name }) => name);
    return callers.length > 0 ? { is: 'inherited', callers } : { is: 'missing', message: resolved.error.message };
  }
  const { model } = resolved.value;
  const served = serverOf(parsed, folder, model, here);
  if (served.is !== 'served') return served;
  const own = 'model' in card ? card.model?.trim() : undefined;
  const from = own === undefined || own === '' || own === '$system.default' ? 'default_model' : 'card';
  const written = (from === 'card' ? own : parsed.config.defaultModel) ?? model;
  return { ...served, from, alias: isSameName(written, served.model) ? undefined : written };
}

/** Returns the delegations that give `card` another model than `previewModel` says. */
export function delegatedModels(parsed: ParsedFolder, card: Card): DelegatedModel[] {
  const own = 'model' in card ? card.model?.trim() : undefined;
  if (isScripted(parsed, runWithoutModel) || (own !== undefined && own !== '' && own !== '$system.default')) return [];
  return callersOf(parsed, card).flatMap(({ name }) => {
    const options = parsed.settings.delegations[name];
    const model = options !== undefined && Object.hasOwn(options, card.name) ? options[card.name]?.model : undefined;
    return model === undefined ? [] : [{ caller: name, model }];
  });
}

/** True if the names are the same without provider and settings. */
function isSameName(written: string, model: string): boolean {
  const [name = ''] = written.split('?');
  return name === model || name.endsWith(`.${model}`) || name.endsWith(`/${model}`);
}

function callersOf({ cards }: ParsedFolder, { name }: Card): Card[] {
  return cards.filter((card) => card.type === 'agent' && card.agents.includes(name));
}

function serverOf(parsed: ParsedFolder, folder: Folder, model: string, here: ModelEnv): ModelPreview {
  const endpoint = endpointOf(model, withSecrets(parsed, folder).config.providers, here);
  if (!endpoint.ok) return { is: 'unserved', message: endpoint.error };
  if (endpoint.value === undefined) return { is: 'internal', model };
  const { provider, address, wire, key, model: named, guarded, from } = endpoint.value;
  return {
    is: 'served',
    provider: findProvider(provider)?.title ?? provider,
    model: named.name,
    canonical: `${provider}.${named.name}`,
    alias: undefined,
    from: 'card',
    address: shownAddress(address),
    wire,
    key: key !== undefined ? 'set' : guarded && from === 'provider' ? 'unneeded' : 'not set',
  };
}
