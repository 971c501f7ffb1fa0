import { globMatch } from '@/lib/base/fnmatch';
import { filterTakes } from '@/lib/base/name-filter';
import { own } from '@/lib/base/own';
import { decide, type GateDecision, reachingOut } from '@/lib/cards/call-gate';
import type { AgentCard } from '@/lib/cards/card';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import { type CallIdentity, identityOf } from '@/lib/cards/hook-when';
import { childToolName } from '@/lib/cards/tool-name';
import { workerPolicy } from '@/lib/cards/worker-policy';
import { codeKey } from './align';
import type { Side } from './project-side';
import { serversOf } from './tool-changes';

/**
 * The calls that an agent's model can make, as a run sees them: by which names rules and hooks know each, and what the gate decides. So a
 * tool that gets another name, a rule that comes to count before another one, or a hook that no longer fits is seen, whatever the text of
 * the folder says.
 */
export interface EffectiveCall {
  /** What is called, by a name that holds on both sides. */
  readonly key: string;
  /** Such as `agent 'writer'` or `'mail__send*'`. */
  readonly words: string;
  /** The agent that is called, if it is one. */
  readonly child: string | undefined;
  /** Every name that rules know it by. The last one is that of the tool. */
  readonly names: readonly string[];
  readonly identity: CallIdentity;
  readonly decision: GateDecision;
  /** True if something that comes first has the name of the tool, so that the model is not offered this one. */
  readonly isHidden: boolean;
}

/** Names of tools that patterns take, each with the words for it. Asked with the name of a server. */
export type NamesByPattern = (server: string) => ReadonlyMap<string, string>;

/** Makes the names for the patterns of both sides, so that both are asked about the same tools that no list has. */
export function namesByPattern(patterns: readonly string[]): NamesByPattern {
  const known = new Map<string, ReadonlyMap<string, string>>();
  return (server) => {
    const names = known.get(server) ?? namesOfServer(patterns, server);
    known.set(server, names);
    return names;
  };
}

function namesOfServer(patterns: readonly string[], server: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    for (const name of namesFor(pattern, server)) {
      if (!found.has(name)) found.set(name, pattern);
    }
  }
  return found;
}

/** Returns the patterns in rules, in the `when` of hooks, and in the filters of cards. */
export function patternsIn({ parsed: { settings, cards } }: Side): readonly string[] {
  const hooks = [...settings.run_hooks, ...Object.values(settings.agent_hooks).flat()];
  return [
    ...(settings.approvals.rules ?? []).flatMap(({ tools }) => tools),
    ...hooks.flatMap((hook) => (hook.kind === 'code' ? [] : [hook.when?.tool ?? []].flat())),
    ...cards.flatMap((card) =>
      card.type === 'agent'
        ? Object.entries(card.tools).flatMap(([server, filter]) => filter.map((name) => `${server}__${name}`))
        : [],
    ),
  ];
}

export function effectiveCalls(
  side: Side,
  card: AgentCard,
  names: NamesByPattern,
  renamed: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, EffectiveCall> {
  const found = new Map<string, EffectiveCall>();
  const add = (call: Pick<EffectiveCall, 'key' | 'words' | 'names'> & CallSource) => {
    if (!found.has(call.key)) found.set(call.key, decided(side, card, call));
  };
  const runtimeTools = builtIn(side, card);
  // Functions and built-in tools are offered before agents.
  const taken = new Set([...card.functionTools.map(({ functionName }) => functionName), ...runtimeTools]);
  for (const [child, via] of childrenOf(side, card)) {
    const options = delegationOptions(side.parsed.settings, card.name, child);
    const tool = childToolName(child, side.parsed.settings.tool_naming, options.tool_name);
    const calledAs = via === 'worker_call' ? ['worker_call', tool] : [tool];
    const isHidden = via === 'tool' && taken.has(tool);
    if (via === 'tool') taken.add(tool);
    add({ isHidden, key: `agent ${child}`, words: `agent '${child}'`, names: calledAs, child, source: 'agent' });
  }
  for (const tool of card.functionTools) {
    const key = renamed.get(codeKey(tool)) ?? codeKey(tool);
    const words = `'${tool.functionName}'`;
    add({ key: `function ${key}`, words, names: [tool.functionName], source: 'function' });
  }
  for (const name of runtimeTools) {
    add({ key: `runtime ${name}`, words: `'${name}'`, names: [name], source: 'runtime' });
  }
  for (const server of serversOf(card)) {
    for (const [name, words] of toolsOf(side, card, server, names)) {
      add({ key: `mcp ${name}`, words: `'${words}'`, names: [name], source: 'mcp', server });
    }
  }
  return found;
}

interface CallSource {
  readonly isHidden?: boolean;
  readonly source: CallIdentity['toolSource'];
  readonly server?: string;
  readonly child?: string;
}

function decided(
  { parsed: { settings } }: Side,
  card: AgentCard,
  {
    key,
    words,
    names,
    source,
    server,
    child,
    isHidden = false,
  }: Pick<EffectiveCall, 'key' | 'words' | 'names'> & CallSource,
): EffectiveCall {
  const effect = child === undefined ? undefined : delegationOptions(settings, card.name, child).approval;
  const name = names.at(-1) ?? '';
  const decision = decide(settings.approvals, {
    tools: names,
    callers: [card.name],
    edge: effect && { effect, rule: `delegations.${card.name}.${child ?? ''}.approval` },
    isInternal: source === 'runtime' && !reachingOut.includes(name),
  });
  return { key, words, names, child, identity: identityOf(source, server, name), decision, isHidden };
}

/** Returns the agents that a model can call, each with how. A child is called by its tool also if `worker_call` may call it. */
function childrenOf({ cards, parsed }: Side, card: AgentCard): ReadonlyMap<string, 'tool' | 'worker_call'> {
  const { callable, tools } = workerPolicy(card, cards.keys(), parsed.settings);
  const found = new Map<string, 'tool' | 'worker_call'>();
  for (const name of [...card.agents, ...tools]) if (cards.has(name)) found.set(name, 'tool');
  for (const name of callable) if (!found.has(name)) found.set(name, 'worker_call');
  return found;
}

function builtIn({ cards, parsed: { settings } }: Side, card: AgentCard): string[] {
  return [
    ...(card.shell ? ['execute'] : []),
    ...(settings.runtime_tools.files === true ? ['read_file', 'list_files'] : []),
    ...(workerPolicy(card, cards.keys(), settings).mayCreate ? ['worker_create'] : []),
  ];
}

/** A name that no pattern but a wide one takes, for the tools that nothing names. */
const anyOther = 'zq_any_other';

/**
 * Returns names of tools of a server, each with the words for it: those that it listed, one for each pattern that takes tools of it, and
 * one for all others.
 */
function toolsOf(side: Side, card: AgentCard, server: string, names: NamesByPattern): Map<string, string> {
  const found = new Map<string, string>();
  const add = (tool: string, words: string) => {
    const name = `${server}__${tool}`;
    if (tool !== '' && filterTakes(own(card.tools, server), tool) && !found.has(name)) found.set(name, words);
  };
  for (const tool of Object.keys(own(side.listed, server) ?? {})) add(tool, `${server}__${tool}`);
  for (const [name, pattern] of names(server)) add(name.slice(server.length + 2), pattern);
  add(anyOther, `${server}__*`);
  return found;
}

/** Returns names of tools of a server that a pattern takes: the shortest one, and one in which each star is something. */
function namesFor(pattern: string, server: string): string[] {
  const prefix = `${server}__`;
  const candidates = Array.from({ length: pattern.length + 1 }, (_, index) => index)
    .filter((index) => globMatch(pattern.slice(0, index), prefix))
    .flatMap((index) => ['', 'x'].map((star) => prefix + filled(pattern.slice(index), star)));
  return [...new Set(candidates)].filter((name) => globMatch(pattern, name));
}

function filled(pattern: string, star: string): string {
  return pattern
    .replace(/\*/g, star)
    .replace(/\?/g, 'x')
    .replace(/\[([^!\]])[^\]]*\]/g, '$1');
}
