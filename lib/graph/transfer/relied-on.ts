import { canonicalJson } from '@/lib/base/canonical-json';
import { isJson, isRecord } from '@/lib/base/json';
import { sha256 } from '@/lib/base/sha256';
import type { Card } from '@/lib/cards/card';
import { generalFile } from '@/lib/cards/config-files';
import { resolveModelReference } from '@/lib/cards/models/model-string';
import { nameModel } from '@/lib/cards/models/name-model';
import { findProvider } from '@/lib/cards/models/providers';
import { membersOf } from '@/lib/cards/read/members';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import { sliceConfig } from './slice-config';

/**
 * What agents rely on and do not bring, each with a mark of its content: the agents that they name (`agent x`), and the default model and
 * settings of model providers in the config (`config openai.base_url`). An equal mark in another project means the same content. The
 * marks hold no values, because settings of providers may be secret.
 */
export type ReliedOn = Readonly<Record<string, string>>;

/** Returns what the chosen agents rely on. Keys of providers are left out: they are set beside the project. */
export function reliedOn(project: ReadProject, chosen: readonly Card[]): ReliedOn {
  const names = new Set(chosen.map(({ name }) => name));
  const members = chosen.flatMap((card) => membersOf(card)).filter((name) => !names.has(name));
  const keys = [
    ...members.map((name) => `agent ${name}`),
    ...configKeys(project, chosen).map((key) => `config ${key}`),
  ];
  return Object.fromEntries(
    [...new Set(keys)].flatMap((key) => {
      const mark = markOf(project, key);
      return mark === undefined ? [] : [[key, mark] as const];
    }),
  );
}

/** Says what the agents that came had in the config, and do not have here. `written` is what they rely on. */
export function lostConfig(project: ReadProject, written: ReliedOn): string[] {
  const lost = Object.entries(written).flatMap(([key, mark]) =>
    key.startsWith('config ') && markOf(project, key) !== mark ? [`'${key.slice('config '.length)}'`] : [],
  );
  if (lost.length === 0) return [];
  const file = generalFile(project.parsed.config) ?? sliceConfig;
  return [
    `The models of the agents used these settings, which are others here or missing: ${lost.join(', ')}. Set them in ${file}.`,
  ];
}

/** Says which agents of this project take the place of agents that did not come. */
export function strangers({ parsed, folder }: ReadProject, came: readonly Card[], written: ReliedOn): string[] {
  const coming = new Set(came.map(({ name }) => name));
  const here = new Set(parsed.cards.map(({ name }) => name));
  return came.flatMap((card) =>
    [...new Set(membersOf(card))]
      .filter((name) => here.has(name) && !coming.has(name))
      .filter((name) => markOf({ parsed, folder }, `agent ${name}`) !== written[`agent ${name}`])
      .map((name) => `Agent '${name}' was not copied: '${card.name}' uses the agent '${name}' of this project.`),
  );
}

function markOf({ folder, parsed }: ReadProject, key: string): string | undefined {
  const [kind, name = ''] = key.split(/ (.*)/s);
  const card = parsed.cards.find((one) => one.name === name);
  const entry = card && folder.get(card.file);
  if (kind === 'agent') return entry?.kind === 'text' ? digest(entry.text) : undefined;
  const value = name.split('.').reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), parsed.config.raw);
  return isJson(value) && value !== null ? digest(canonicalJson(value)) : undefined;
}

/** Sixteen hex digits tell contents apart, and a value cannot be found from them. */
const digest = (text: string): string => sha256(new TextEncoder().encode(text)).slice(0, 16);

/** Returns the default model, if an agent uses it, and every setting of the providers of their models. */
function configKeys({ parsed }: ReadProject, chosen: readonly Card[]): string[] {
  const { config, settings } = parsed;
  const own = chosen.map((card) => ('model' in card ? card.model?.trim() : ''));
  const usesDefault = own.includes(undefined);
  const ofEdges = chosen.flatMap(({ name }) =>
    Object.values(settings.delegations[name] ?? {}).map(({ model }) => model),
  );
  const models = [...own, ...ofEdges, ...(usesDefault ? [config.defaultModel] : [])].flatMap((model) => model || []);
  const sections = new Set(models.flatMap((model) => sectionsOf(model, config.modelReferences)));
  const { raw } = config;
  return [
    ...(usesDefault ? ['default_model'] : []),
    ...[...sections].flatMap((section) => {
      const written = isRecord(raw) ? raw[section] : undefined;
      const keys = Object.keys(isRecord(written) ? written : {}).filter((key) => key !== 'api_key');
      return keys.map((key) => `${section}.${key}`);
    }),
  ];
}

/** Returns the sections of a model's provider. A model that no provider is known for may be one of an own address under `openai`. */
function sectionsOf(model: string, references: ReadProject['parsed']['config']['modelReferences']): readonly string[] {
  const resolved = resolveModelReference(model, references);
  const named = nameModel(resolved.ok ? resolved.value : model);
  if (!named.ok) return [];
  const provider = findProvider(named.value.provider ?? named.value.name) ?? findProvider('openai');
  return named.value.provider === 'fast-agent' ? [] : (provider?.sections ?? []);
}
