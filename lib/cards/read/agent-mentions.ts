import { isRecord } from '@/lib/base/json';
import { childToolName, type ToolNaming } from '@/lib/cards/tool-name';
import type { Path } from '@/lib/cards/yaml/yaml-source';

/**
 * Finds the places where `callboard.yaml` names agents. The checker, renaming and removing share this table.
 *
 * The input is the parsed content of the file. The output is each mention with its path. A nested mention comes before the
 * outer one, so that they can be edited in this order.
 */
export interface AgentMention {
  readonly agent: string;
  /** The path to the key or value that is the name. Numbers are list indexes that count from 0. */
  readonly path: Path;
  /**
   * - `key`: a mapping has the agent's name as a key
   * - `node`: a key of canvas.positions, `agent:NAME`
   * - `member`: an item of the members of a group on the canvas, `agent:NAME`
   * - `value`: a single value
   * - `item`: an item of a list of agents
   * - `tool`: the name of the tool that the agent is for its parents, as `tool_naming` makes it
   * - `set tool`: the same, as `tool_name` of a delegation sets it
   */
  readonly as: Place['as'] | 'set tool';
  /** The keys that lead to the mention, such as `toolsets` or `canvas.positions`, for messages. */
  readonly section: string;
}

interface Place {
  /** The keys of a path. `*` is any key or index, `**` any number of them. The last one is the name. */
  readonly path: readonly string[];
  readonly as: 'key' | 'node' | 'member' | 'value' | 'item' | 'tool';
}

interface ToolAgent {
  readonly agent: string;
  readonly as: 'tool' | 'set tool';
}

/** The agents that tools stand for, by the name of the tool. */
export type ToolAgents = ReadonlyMap<string, ToolAgent>;

const places: readonly Place[] = [
  { path: ['entry'], as: 'value' },
  { path: ['delegations', '*'], as: 'key' },
  { path: ['delegations', '*', '*'], as: 'key' },
  { path: ['enable_sub_agent_hitl', '*'], as: 'key' },
  { path: ['scripts', '*'], as: 'key' },
  { path: ['scripts', '**', 'calls', '*', 'tool'], as: 'tool' },
  { path: ['scripts', '**', 'calls', '*', 'arguments', 'worker'], as: 'value' },
  { path: ['approvals', 'agents', '*'], as: 'key' },
  { path: ['approvals', 'rules', '*', 'agents', '*'], as: 'item' },
  { path: ['approvals', 'rules', '*', 'tools', '*'], as: 'tool' },
  { path: ['external_tools', '*', 'agents', '*'], as: 'item' },
  { path: ['agent_hooks', '*'], as: 'key' },
  { path: ['hooks_off', '*'], as: 'key' },
  { path: ['agent_hooks', '**', 'when', 'tool'], as: 'tool' },
  { path: ['agent_hooks', '**', 'when', 'tool', '*'], as: 'tool' },
  { path: ['run_hooks', '**', 'when', 'tool'], as: 'tool' },
  { path: ['run_hooks', '**', 'when', 'tool', '*'], as: 'tool' },
  { path: ['toolsets', '*'], as: 'key' },
  { path: ['toolsets', '*', 'delegation', 'allow_workers', '*'], as: 'item' },
  { path: ['toolsets', '*', 'worker_tools', 'workers', '*'], as: 'item' },
  { path: ['tool_groups', '*'], as: 'key' },
  { path: ['tool_groups', '*', 'groups', '*', 'agents', '*'], as: 'item' },
  { path: ['tool_groups', '*', 'groups', '*', 'tools', '*'], as: 'tool' },
  { path: ['find_tools', 'agents', '*'], as: 'key' },
  { path: ['canvas', 'positions', '*'], as: 'node' },
  { path: ['canvas', 'groups', '*', 'members', '*'], as: 'member' },
];

/**
 * Returns every mention, of any agent. `*` in a list of workers names no agent. `tools` has the tools that stand for an agent
 * (`childTools`): the name of a tool does not tell the agent.
 */
export function agentMentions(settings: unknown, tools: ToolAgents = new Map()): readonly AgentMention[] {
  const found: AgentMention[] = [];
  for (const { path, as } of places) {
    const section = as === 'node' || as === 'member' ? path.slice(0, 2).join('.') : (path[0] ?? '');
    for (const { at, value } of valuesAt(settings, path, [])) {
      if (isScriptedCall(at) && !callsWorker(settings, at)) continue;
      if (as === 'tool') {
        const tool = typeof value === 'string' ? tools.get(value) : undefined;
        if (tool !== undefined) found.push({ ...tool, path: at, section });
        continue;
      }
      const agent = nameOf(as, at.at(-1), value);
      if (agent !== undefined) found.push({ agent, path: at, as, section });
    }
  }
  return found.sort((a, b) => b.path.length - a.path.length || comparePaths(b.path, a.path));
}

/** Returns how child tools are named whose delegation does not set a name. */
export function toolNamingOf(settings: unknown): ToolNaming {
  const naming = isRecord(settings) ? settings.tool_naming : undefined;
  return naming === 'plain' || naming === 'call_' ? naming : 'agent__';
}

/** Returns the tools that stand for one of these agents. A tool that stands for two of them is left out. */
export function childTools(settings: unknown, agents: Iterable<string>): ToolAgents {
  const naming = toolNamingOf(settings);
  const delegations = isRecord(settings) && isRecord(settings.delegations) ? settings.delegations : {};
  const tools = new Map<string, ToolAgent>();
  const shared = new Set<string>();
  const add = (tool: string, agent: string, as: ToolAgent['as']) => {
    const known = tools.get(tool);
    if (known === undefined) tools.set(tool, { agent, as });
    else if (known.agent !== agent) shared.add(tool);
  };
  for (const agent of agents) {
    add(childToolName(agent, naming), agent, 'tool');
    for (const children of Object.values(delegations)) {
      const options = isRecord(children) && Object.hasOwn(children, agent) ? children[agent] : undefined;
      const set = isRecord(options) && typeof options.tool_name === 'string' ? options.tool_name.trim() : '';
      if (set !== '') add(childToolName(agent, naming, set), agent, 'set tool');
    }
  }
  for (const tool of shared) tools.delete(tool);
  return tools;
}

/** Returns the text of a mention of `agent`. `undefined` if its text does not follow the agent's name. */
export function mentionText({ as }: AgentMention, agent: string, naming: ToolNaming): string | undefined {
  switch (as) {
    case 'tool':
      return childToolName(agent, naming);
    case 'set tool':
      return undefined;
    case 'node':
    case 'member':
      return `agent:${agent}`;
    default:
      return agent;
  }
}

function nameOf(as: Place['as'], key: string | number | undefined, value: unknown): string | undefined {
  const text = as === 'key' || as === 'node' ? String(key) : value;
  if (typeof text !== 'string') return undefined;
  switch (as) {
    case 'node':
    case 'member':
      return text.startsWith('agent:') ? text.slice('agent:'.length) : undefined;
    case 'item':
      return text === '*' ? undefined : text;
    default:
      return text;
  }
}

interface Found {
  readonly at: Path;
  readonly value: unknown;
}

function valuesAt(value: unknown, pattern: readonly string[], at: Path): Found[] {
  const [wanted, ...rest] = pattern;
  if (wanted === undefined) return [{ at, value }];
  const here = wanted === '**' ? valuesAt(value, rest, at) : [];
  const inner = wanted === '**' ? pattern : rest;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : isRecord(value)
      ? Object.entries(value)
      : [];
  // Arguments of scripted calls are free text.
  const into = wanted === '**' ? entries.filter(([key]) => key !== 'arguments') : entries;
  const matching = wanted === '*' || wanted === '**' ? into : into.filter(([key]) => key === wanted);
  return [...here, ...matching.flatMap(([key, item]) => valuesAt(item, inner, [...at, key]))];
}

function isScriptedCall(path: Path): boolean {
  return path[0] === 'scripts' && path.at(-2) === 'arguments';
}

function callsWorker(settings: unknown, path: Path): boolean {
  const call = path.slice(0, -2).reduce<unknown>((value, key) => (isHolder(value) ? value[key] : undefined), settings);
  return isRecord(call) && call.tool === 'worker_call';
}

function isHolder(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Sorts later list items first, so that removing one does not change the indexes of the others. */
function comparePaths(a: Path, b: Path): number {
  for (const [index, key] of a.entries()) {
    const other = b[index];
    if (key === other || other === undefined) continue;
    if (typeof key === 'number' && typeof other === 'number') return key - other;
    return String(key) < String(other) ? -1 : 1;
  }
  return 0;
}
