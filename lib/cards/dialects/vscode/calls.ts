import { normaliseName } from '@/lib/cards/agent-name';
import type { AgentCard } from '@/lib/cards/card';
import type { DialectNote, PlacedNote, Written } from '@/lib/cards/dialects/form/dialect';
import { quoted } from '@/lib/cards/dialects/form/quoted';
import { hasEveryTool, namesIn, toolNames } from './tool-names';

/** An agent of a file, with its fields. */
export interface CustomAgent {
  readonly card: AgentCard;
  readonly written: Written;
}

/**
 * Who calls whom. Sources: code.visualstudio.com/docs/agents/run/subagents, *Restrict which subagents an agent can use* and *Nested
 * subagents*.
 *
 *     agents: [a, b] ──▶ a, b, also if they have disable-model-invocation
 *     agents: '*', or the tool `agent` without `agents` ──▶ each agent that may be called and calls none itself, because in VS Code a
 *                                                           called agent calls no others unless a person's setting allows it
 *     neither ──▶ none
 */
export function callsOf(agents: readonly CustomAgent[]): {
  readonly calls: ReadonlyMap<string, readonly string[]>;
  readonly notes: readonly PlacedNote[];
} {
  const names = new Set(agents.map(({ card }) => card.name));
  const calls = new Map<string, readonly string[]>();
  const notes: PlacedNote[] = [];
  for (const { card, written } of agents) {
    const { name, file } = card;
    const wanted = [...new Set(namesIn(written.agents).filter((one) => one !== '*'))];
    const tell = (note: DialectNote) => notes.push({ file, note });
    if (wanted.length > 0 && !canCall(written)) {
      tell(withoutTool);
      calls.set(name, []);
      continue;
    }
    const absent = wanted.filter((one) => !names.has(normaliseName(one)));
    if (absent.length > 0) tell(absentNote(absent));
    const known = wanted.map(normaliseName).filter((one) => names.has(one));
    const circular = known.filter((one) => one === name || reaches(calls, one, name));
    if (circular.length > 0) tell(cycleNote(circular));
    calls.set(
      name,
      known.filter((one) => !circular.includes(one)),
    );
  }
  const callers = new Set(
    agents.filter((agent) => isOpen(agent) || calls.get(agent.card.name)?.length).map(({ card }) => card.name),
  );
  const free = agents.filter(({ card, written }) => mayBeCalled(written) && !callers.has(card.name));
  for (const agent of agents) {
    if (isOpen(agent))
      calls.set(
        agent.card.name,
        free.map(({ card }) => card.name),
      );
    else if (agent.written.agents === undefined && hasEveryTool(agent.written.tools))
      notes.push({ file: agent.card.file, note: silentNote });
  }
  return { calls, notes };
}

/** True for an agent that may call every other one. */
function isOpen({ written }: CustomAgent): boolean {
  const { agents, tools } = written;
  if (agents !== undefined && agents !== null) return namesIn(agents).includes('*') && canCall(written);
  return !hasEveryTool(tools) && canCall(written);
}

function canCall({ tools }: Written): boolean {
  return hasEveryTool(tools) || toolNames(tools, []).some(({ isAgentTool }) => isAgentTool);
}

/** True for an agent that others may call without naming it. */
export function mayBeCalled(written: Written): boolean {
  const disabled = written['disable-model-invocation'];
  return disabled === undefined || disabled === null ? written.infer !== false : disabled !== true;
}

function reaches(calls: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const next of calls.get(name) ?? []) seen.add(next);
  }
  return false;
}

const withoutTool: DialectNote = {
  key: 'agents-without-tool',
  use: 'kept',
  path: ['agents'],
  words: [],
  say: () =>
    "'agents' has no effect without 'agent' in 'tools', in VS Code as here. Add 'agent' to 'tools', or draw a wire.",
};

const silentNote: DialectNote = {
  key: 'silent-agents',
  use: 'kept',
  path: [],
  words: [],
  say: () =>
    "An agent without 'agents' and 'tools' may call every other one in VS Code. Here it calls none. Draw a wire, or write 'agents', to let it call some.",
};

function absentNote(names: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `'agents' names agents that the folder does not have, such as those of VS Code itself, and they cannot run here: ${quoted(words)}.`;
  return { key: 'absent-agents', use: 'cannot-run', path: ['agents'], words: names, say };
}

function cycleNote(names: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `A call that leads back to its caller cannot run here, and neither does it in VS Code without a setting: the call of ${quoted(words)} is left out.`;
  return { key: 'circular-agents', use: 'cannot-run', path: ['agents'], words: names, say };
}
