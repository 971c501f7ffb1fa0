import type { Issue } from '@/lib/base/issue';
import type { Card, CardType } from '@/lib/cards/card';
import type { Position } from '@/lib/cards/line-index';
import type { Reference } from '@/lib/cards/references';
import type { CardSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { YamlSource } from '@/lib/cards/yaml/yaml-source';
import type { CardContext } from './card-context';
import { findCardType, hasField, meantField, requiredFields, typesWith } from './card-fields';
import { describeValue } from './describe-value';
import { isGiven, listed, readFlag, readText } from './fields';
import { reportFieldsWithoutEffect } from './fields-without-effect';
import { FileReport } from './file-report';
import { readAgent } from './read-agent';
import { readInstruction } from './read-instruction';
import { readIterativePlanner, readOrchestrator, readRouter } from './read-planners';
import { readA2a, readChain, readEvaluatorOptimizer, readMaker, readParallel } from './read-workflows';

/** One parsed card file. It does not depend on other files. */
export interface CardReading {
  /** `undefined` when the type is unknown. */
  readonly card: Card | undefined;
  readonly name: string;
  /** The position of the name, otherwise the start of the card. */
  readonly place: Position;
  readonly issues: readonly Issue[];
  readonly references: readonly Reference[];
}

/** Reads every field by the rules of fast-agent, and continues after each fault. Never throws. */
export function readCard(file: string, source: CardSource, yaml: YamlSource): CardReading {
  const report = new FileReport(file, source.text, yaml);
  const value = isMapping(yaml.value) ? yaml.value : {};
  const card: CardContext = { file, report, value, path: [], references: [] };
  const name = readName(card);
  report.agent = name;
  for (const { key, offset } of yaml.repeated) {
    report.reportAt('duplicate-key', offset, `'${key}' is given twice and this one counts. Remove one of them.`);
  }
  const type = readType(card);
  const built = type === undefined ? undefined : readFields(card, type, name, source);
  if (type !== undefined) reportFieldsWithoutEffect(card, type);
  const place = report.placeOf(['name']);
  return { card: built, name, place, issues: report.issues, references: card.references };
}

function readFields(card: CardContext, type: CardType, name: string, source: CardSource): Card {
  checkFields(card, type);
  const base = {
    file: card.file,
    name,
    instruction: readInstruction(card, source),
    description: readText(card, 'description'),
    isDefault: readFlag(card, 'default', false),
    toolOnly: readFlag(card, 'tool_only', false),
    schemaVersion: readSchemaVersion(card),
  };
  if (base.isDefault && base.toolOnly) {
    const text = `Agent '${name}' cannot be both 'default' and 'tool_only'. Remove one of them.`;
    card.report.reportKey('default-and-tool-only', ['tool_only'], text);
  }
  switch (type) {
    case 'agent':
      return { ...base, ...readAgent(card) };
    case 'chain':
      return { ...base, ...readChain(card) };
    case 'parallel':
      return { ...base, ...readParallel(card) };
    case 'evaluator_optimizer':
      return { ...base, ...readEvaluatorOptimizer(card) };
    case 'router':
      return { ...base, ...readRouter(card) };
    case 'orchestrator':
      return { ...base, ...readOrchestrator(card) };
    case 'iterative_planner':
      return { ...base, ...readIterativePlanner(card) };
    case 'MAKER':
      return { ...base, ...readMaker(card) };
    case 'a2a':
      return { ...base, ...readA2a(card) };
  }
}

function readName(card: CardContext): string {
  const stem = (card.file.split('/').at(-1) ?? card.file).replace(/\.[^.]+$/, '').replaceAll(' ', '_');
  const { name } = card.value;
  if (name === undefined || name === null) return stem;
  if (typeof name !== 'string' || name.trim() === '') {
    const text = `'name' must be a non-empty string, not ${describeValue(name)}. Put it in quotes, or remove the line.`;
    card.report.report('bad-name', ['name'], text);
    return stem;
  }
  const normal = name.trim().replaceAll(' ', '_');
  if (/[/[\]]/.test(normal)) {
    const text = `The name '${normal}' has a slash or bracket, which paths of instances use. Rename the agent.`;
    card.report.report('odd-name', ['name'], text);
  }
  return normal;
}

function readType(card: CardContext): CardType | undefined {
  const type = card.value.type ?? '';
  if (typeof type !== 'string') {
    card.report.report('wrong-type', ['type'], `'type' must be a string, not ${describeValue(type)}.`);
    return undefined;
  }
  const word = type.trim().toLowerCase();
  if (word === '') return 'agent';
  if (word === 'smart') {
    const text = "'type: smart' is deprecated, and is a plain agent in Callboard. Write 'type: agent'.";
    card.report.report('smart-type', ['type'], text);
    return 'agent';
  }
  const found = findCardType(word);
  if (found === undefined) {
    const text = `There is no agent type '${type}'. Use agent, chain, parallel, evaluator_optimizer, router, orchestrator, iterative_planner, MAKER or a2a.`;
    card.report.report('unknown-type', ['type'], text);
  }
  return found;
}

function checkFields(card: CardContext, type: CardType): void {
  for (const field of Object.keys(card.value)) {
    if (hasField(type, field)) continue;
    const others = typesWith(field);
    const meant = meantField(type, field);
    const next =
      advice[field] ??
      (others.length > 0
        ? `Only ${listed(others)} cards have it.`
        : meant === undefined
          ? 'Remove it or correct its spelling.'
          : `Did you mean '${meant}'?`);
    card.report.reportKey('unknown-field', [field], `A card of type '${type}' has no field '${field}'. ${next}`);
  }
  for (const field of requiredFields[type]) {
    if (isGiven(card, field)) continue;
    const text = `A card of type '${type}' needs '${field}'. Add it.`;
    const where = field in card.value ? field : 'type';
    card.report.reportKey('missing-field', [where], text);
  }
}

/** Advice for settings of callboard.yaml that people write into cards. */
const advice: Readonly<Record<string, string | undefined>> = {
  toolsets: "Move it to callboard.yaml: 'toolsets', then the name of this agent, then these lines.",
  find_tools: "Move it to callboard.yaml: 'find_tools', then 'agents' and the name of this agent, then these lines.",
  tool_groups: "Move it to callboard.yaml: 'tool_groups', then the name of this agent, then these lines.",
  delegations: "Move it to callboard.yaml: 'delegations', then 'PARENT > CHILD', then the options.",
  agent_hooks: "Move it to callboard.yaml: 'agent_hooks', then the name of this agent, then these lines.",
  scripts: "Move it to callboard.yaml: 'scripts', then the name of this agent, then these lines.",
};

function readSchemaVersion(card: CardContext): number {
  const value = card.value.schema_version;
  if (value === undefined) return 1;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  const text = `'schema_version' must be an integer, not ${describeValue(value)}. Write 1 or remove the line.`;
  card.report.report('wrong-type', ['schema_version'], text);
  return 1;
}
