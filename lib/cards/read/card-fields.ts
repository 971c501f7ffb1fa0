import { isRecord } from '@/lib/base/json';
import { nearName } from '@/lib/base/near-name';
import type { CardType } from '@/lib/cards/card';

/** The allowed and the required fields of each card type, as in fast-agent. */

const common = 'type name instruction description default tool_only schema_version';
const model = 'model use_history save_trajectory request_params human_input api_key messages';
const serverUse = 'servers tools resources prompts';

export const delegationFields = [
  'history_source',
  'history_merge_target',
  'max_parallel',
  'child_timeout_sec',
  'max_display_instances',
] as const;

const own: Readonly<Record<CardType, string>> = {
  agent: `${model} ${serverUse} ${delegationFields.join(' ')} agents subagents subagent_model harness_tools mcp_connect
    skills function_tools tool_hooks lifecycle_hooks commands trim_tool_history tool_input_schema shell cwd variables`,
  chain: 'sequence cumulative',
  parallel: 'fan_out fan_in include_request',
  evaluator_optimizer: 'generator evaluator min_rating max_refinements refinement_instruction messages',
  router: `agents ${model} ${serverUse}`,
  orchestrator: `agents ${model} plan_type plan_iterations`,
  iterative_planner: 'agents model request_params api_key plan_iterations messages',
  MAKER: 'worker k max_samples match_strategy red_flag_max_length messages',
  a2a: `url transport streaming polling accepted_output_modes headers auth relative_card_path request_timeout_seconds`,
};

export const requiredFields: Readonly<Record<CardType, readonly string[]>> = {
  agent: [],
  chain: ['sequence'],
  parallel: ['fan_out'],
  evaluator_optimizer: ['generator', 'evaluator'],
  router: ['agents'],
  orchestrator: ['agents'],
  iterative_planner: ['agents'],
  MAKER: ['worker'],
  a2a: ['url'],
};

export const cardTypes: readonly CardType[] = [
  'agent',
  'chain',
  'parallel',
  'evaluator_optimizer',
  'router',
  'orchestrator',
  'iterative_planner',
  'MAKER',
  'a2a',
];

const fieldSets = new Map(cardTypes.map((type) => [type, new Set(`${common} ${own[type]}`.split(/\s+/))]));
const everyField = new Set([...fieldSets.values()].flatMap((fields) => [...fields]));
/** Fields that occur in other front matter too. */
const weakFields = new Set(['type', 'name', 'description', 'default', 'url', 'tools', 'headers', 'auth', 'variables']);

export function hasField(type: CardType, field: string): boolean {
  return fieldSets.get(type)?.has(field) ?? false;
}

/** Returns the names of all fields of a type. */
export function fieldNames(type: CardType): readonly string[] {
  return [...(fieldSets.get(type) ?? [])];
}

/** Returns the types that have a field, for the message about a type that has not. */
export function typesWith(field: string): CardType[] {
  return cardTypes.filter((type) => hasField(type, field));
}

export function findCardType(text: string): CardType | undefined {
  const wanted = text.trim().toLowerCase();
  return cardTypes.find((type) => type.toLowerCase() === wanted);
}

/**
 * True if a mapping was meant as a card. Other front matter (READMEs of datasets, blog posts, workflow files) shares a few
 * fields with cards (`description`, `name`), but has more fields of its own. In a YAML file every key must be a field of cards.
 * A misspelt field counts as one; a misspelt short or common field only when all other keys are fields of cards.
 */
export function looksLikeCard(value: Readonly<Record<string, unknown>>, kind: 'markdown' | 'yaml'): boolean {
  const keys = Object.keys(value);
  const { type } = value;
  if (typeof type === 'string' && (findCardType(type) !== undefined || type.trim().toLowerCase() === 'smart'))
    return true;
  const known = keys.filter((key) => everyField.has(key));
  if (known.some((key) => !weakFields.has(key))) return true;
  const meant = keys.filter((key) => isMisspelt(key)).length + known.length;
  if (kind === 'yaml') return known.length > 0 && meant === keys.length;
  if (keys.every((key) => everyField.has(key) || nearName(key, everyField) !== undefined)) return true;
  const weight = meant + (known.includes('name') ? 1 : 0);
  return keys.length === 0 || weight > keys.length - meant;
}

/** Fields of cards that agents and commands of other programs, or pages of a website, have too. */
const sharedFields = new Set([...weakFields, 'model', 'skills', 'commands', 'resources', 'prompts', 'messages']);

/**
 * True for fields that only an AgentCard has: its type, or a field of a plain agent that no other format has. It is meant for
 * mappings that look like a card.
 */
export function isCertainCard(value: Readonly<Record<string, unknown>>): boolean {
  if (typeof value.type === 'string' && findCardType(value.type) !== undefined) return true;
  return Object.keys(value).some((key) => hasField('agent', key) && !sharedFields.has(key) && !isInventory(key, value));
}

/** True for a list of agents with what is known of each, which is no list of names. */
function isInventory(key: string, value: Readonly<Record<string, unknown>>): boolean {
  const entries: readonly unknown[] = key === 'agents' && Array.isArray(value.agents) ? value.agents : [];
  return entries.some(isRecord);
}

/** True if a mapping that looks like a card has more of one than a page has, such as a model. */
export function isLikelyCard(value: Readonly<Record<string, unknown>>): boolean {
  return 'default' in value || Object.keys(value).some((key) => everyField.has(key) && !weakFields.has(key));
}

/** Returns the field of this card type that a misspelt word probably means. */
export function meantField(type: CardType, word: string): string | undefined {
  return nearName(word, fieldSets.get(type) ?? []);
}

/** True for a misspelt field. Ignores short and common fields, which resemble other words. */
function isMisspelt(key: string): boolean {
  const meant = nearName(key, everyField);
  return meant !== undefined && meant.length >= 5 && !weakFields.has(meant);
}
