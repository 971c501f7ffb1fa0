import { nearName } from '@/lib/base/near-name';
import type { CardType } from '@/lib/cards/card';

/** Which fields each type of card may have and must have (fast-agent.md 1.3). */

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
/** Fields that other front matter has as well. */
const weakFields = new Set(['type', 'name', 'description', 'default', 'url', 'tools', 'headers', 'auth', 'variables']);

export function hasField(type: CardType, field: string): boolean {
  return fieldSets.get(type)?.has(field) ?? false;
}

/** The types that do have a field, for the sentence about one that does not. */
export function typesWith(field: string): CardType[] {
  return cardTypes.filter((type) => hasField(type, field));
}

export function findCardType(text: string): CardType | undefined {
  const wanted = text.trim().toLowerCase();
  return cardTypes.find((type) => type.toLowerCase() === wanted);
}

/**
 * Whether a mapping was meant as a card. Dataset READMEs, blog posts and workflow files share a word or two with cards
 * (`description`, `name`), never more than they have words of their own. A YAML file says less about itself than front
 * matter does, so there every key must be a card's. A misspelt field counts as a field, a short or common one only where no
 * word is left.
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

/** The field of a card of this type that a word was probably meant to be. */
export function meantField(type: CardType, word: string): string | undefined {
  return nearName(word, fieldSets.get(type) ?? []);
}

/** Words of other front matter are near to the short and common ones. */
function isMisspelt(key: string): boolean {
  const meant = nearName(key, everyField);
  return meant !== undefined && meant.length >= 5 && !weakFields.has(meant);
}
