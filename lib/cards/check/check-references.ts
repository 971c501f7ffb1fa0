import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import type { AgentCard } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import { isModelReference, parseModel, resolveModelReference } from '@/lib/cards/models/model-string';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';
import type { Reference } from '@/lib/cards/references';

/** Checks the references of cards to each other and to the config: names, children, servers, models. */
export interface Known {
  readonly cards: readonly CardReading[];
  /** The names of unreadable cards. */
  readonly brokenNames: ReadonlySet<string>;
  readonly config: FastAgentConfig;
}

interface Names {
  readonly byName: ReadonlyMap<string, CardReading>;
  readonly near: ReadonlyMap<string, string>;
  readonly broken: ReadonlySet<string>;
  readonly servers: ReadonlySet<string>;
}

export function checkReferences(known: Known): Issue[] {
  const byName = new Map<string, CardReading>();
  const issues: Issue[] = [];
  const defaults: CardReading[] = [];
  for (const reading of known.cards) {
    const other = byName.get(reading.name);
    if (other === undefined) byName.set(reading.name, reading);
    else {
      const text = `Agent '${reading.name}' is also defined in ${other.card?.file}. Rename one of them.`;
      issues.push(issueAt('duplicate-name', reading, reading.place, text));
    }
    if (reading.card?.isDefault) defaults.push(reading);
  }
  for (const reading of defaults.slice(1)) {
    const text = `'${defaults[0]?.name}' is the default agent already. Keep 'default: true' in one card.`;
    issues.push(issueAt('several-defaults', reading, reading.place, text));
  }
  const names: Names = {
    byName,
    near: nearNames(known.cards),
    broken: known.brokenNames,
    servers: serverNames(known.config),
  };
  for (const reading of known.cards) {
    for (const reference of reading.references) {
      const issue = checkReference(reading, reference, names, known.config);
      if (issue !== undefined) issues.push(issue);
    }
    issues.push(...repeatedChildren(reading));
  }
  return issues;
}

function checkReference(
  reading: CardReading,
  reference: Reference,
  names: Names,
  config: FastAgentConfig,
): Issue | undefined {
  // `${VAR}` is filled in by the environment of the run.
  if ('target' in reference && reference.target.includes('${')) return undefined;
  switch (reference.kind) {
    case 'agent':
      return checkAgent(reading, reference.target, reference, names);
    case 'server':
      return checkServer(reading, reference.target, reference, names.servers, config);
    case 'model':
      return checkModel(reading, reference.target, reference, config);
    default:
      return undefined;
  }
}

function checkAgent(reading: CardReading, target: string, reference: Reference, names: Names): Issue | undefined {
  const child = names.byName.get(target)?.card;
  if (child === undefined) {
    if (names.broken.has(target)) return undefined;
    const near = names.near.get(alike(target));
    const next = near === undefined ? 'Add a card of that name, or correct the reference.' : `Write '${near}'.`;
    return issueAt(
      'missing-agent',
      reading,
      reference,
      `'${reference.field}' names agent '${target}', which does not exist. ${next}`,
    );
  }
  if (child.type === 'a2a' && isPlanner(reading)) {
    const why = 'fast-agent refuses a remote agent in a plan (lacks LLM capability)';
    const text = `'${target}' is of type 'a2a'; ${why}. Name a chain in its place whose only step is '${target}'.`;
    return issueAt('remote-in-plan', reading, reference, text);
  }
  if (reading.card?.type !== 'agent' || child.type === 'agent') return undefined;
  const text = `Child '${target}' is of type '${child.type}', which runs as a tool in Callboard only. fast-agent answers each call with 'Spawn failed'. Use an agent to run it there.`;
  return issueAt('child-not-agent', reading, reference, text);
}

function isPlanner({ card }: CardReading): boolean {
  return card?.type === 'orchestrator' || card?.type === 'iterative_planner';
}

/** Returns names by their normalised form. References themselves are not normalised: `My Kid` does not find `My_Kid`. */
function nearNames(cards: readonly CardReading[]): ReadonlyMap<string, string> {
  return new Map(cards.map(({ name }) => [alike(name), name]));
}

function alike(name: string): string {
  return name
    .trim()
    .replaceAll(/[\s_-]+/g, '_')
    .toLowerCase();
}

function checkServer(
  reading: CardReading,
  target: string,
  reference: Reference,
  servers: ReadonlySet<string>,
  config: FastAgentConfig,
): Issue | undefined {
  const { card } = reading;
  if (servers.has(target)) return undefined;
  if (card?.type === 'agent' && broughtBy(card).has(target)) return undefined;
  const where = config.file ?? 'a new file fast-agent.yaml';
  const text = `Server '${target}' of agent '${reading.name}' is not configured. Add it to mcp.servers in ${where}.`;
  return issueAt('unknown-server', reading, reference, text);
}

/** Returns the servers that a card defines itself. */
const broughtBy = oncePer((card: AgentCard) => new Set(card.mcpConnect.map(({ name }) => name)));

function checkModel(
  reading: CardReading,
  target: string,
  reference: Reference,
  config: FastAgentConfig,
): Issue | undefined {
  if (!isModelReference(target)) {
    const model = parseModel(target);
    return model.ok ? undefined : issueAt('model-invalid', reading, reference, model.error);
  }
  const resolved = resolveModelReference(target, config.modelReferences);
  if (!resolved.ok) return issueAt('model-reference', reading, reference, resolved.error);
  const model = parseModel(resolved.value);
  return model.ok
    ? undefined
    : issueAt('model-reference', reading, reference, `'${target}' leads to a bad model: ${model.error}`);
}

const repeatedChildren = oncePer(findRepeatedChildren);

function findRepeatedChildren(reading: CardReading): readonly Issue[] {
  if (reading.card?.type !== 'agent') return [];
  const seen = new Set<string>();
  return reading.references.flatMap((reference) => {
    if (reference.kind !== 'agent') return [];
    if (!seen.has(reference.target)) {
      seen.add(reference.target);
      return [];
    }
    const text = `Child '${reference.target}' is listed twice, so its tool name would be too. Remove one.`;
    return [issueAt('duplicate-child', reading, reference, text)];
  });
}

/** Returns the names of servers, including those with faulty entries, which have their own issues. */
function serverNames(config: FastAgentConfig): ReadonlySet<string> {
  const mcp = isRecord(config.raw) ? config.raw.mcp : undefined;
  const servers = isRecord(mcp) ? mcp.servers : undefined;
  return new Set([...Object.keys(config.servers), ...(isRecord(servers) ? Object.keys(servers) : [])]);
}

export function issueAt(
  code: Parameters<typeof makeIssue>[0],
  reading: CardReading,
  { line, column }: { readonly line: number; readonly column: number },
  message: string,
): Issue {
  return makeIssue(code, { file: reading.card?.file ?? '', line, column, agent: reading.name }, message);
}
