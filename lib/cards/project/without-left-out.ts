import { type LeftOut, leftOutName } from '@/lib/base/left-out';
import { err, ok, type Result } from '@/lib/base/result';
import type { AgentCard, Card, RouterCard } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { membersOf } from '@/lib/cards/read/members';
import type { Settings } from '@/lib/cards/settings';
import { findEntry } from './entry';
import { reachableFrom } from './reachable';

/*
 * What one run does without, although the files have it. The files stay as they are.
 *
 *   agent            not a child, step or worker of any agent; what only it calls is not reached
 *   server           no agent has it, so it is not started
 *   tool, function   no agent is offered it
 *
 * Hooks, approvals and rules of a team stay: only what they apply to is gone.
 */

/** Names of what is left out, by kind. */
interface Gone {
  readonly agents: ReadonlySet<string>;
  readonly servers: ReadonlySet<string>;
  /** `file:function`. */
  readonly functions: ReadonlySet<string>;
  /** Tools by server. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns what a run that begins at `agent` has of a project, or a sentence that says why it cannot do without something. Without
 * `agent` the run begins at the entry of the project.
 */
export function withoutLeftOut<P extends ParsedFolder>(
  parsed: P,
  leftOut: readonly LeftOut[],
  agent: string | undefined,
): Result<P, string> {
  if (leftOut.length === 0) return ok(parsed);
  const unknown = leftOut.find((one) => !isThere(parsed, one));
  if (unknown !== undefined) return err(unknownSentence(unknown));
  const gone = goneOf(leftOut);
  const start = agent ?? startOf(parsed);
  if (start !== undefined && gone.agents.has(start)) {
    return err(
      `The run begins at agent '${start}', so the run cannot leave it out. Keep it, or begin at another agent.`,
    );
  }
  const { settings } = parsed;
  const rest: P = {
    ...parsed,
    cards: parsed.cards.filter(({ name }) => !gone.agents.has(name)).map((card) => cardWithout(card, gone)),
    unread: new Map([...parsed.unread].filter(([, { name }]) => !gone.agents.has(name))),
    // Without its caller another agent may look like the first one. The run begins where it would begin.
    settings: { ...settings, entry: settings.entry ?? start, toolsets: toolsetsWithout(settings.toolsets, gone) },
  };
  const needed = findNeeded(parsed.cards, rest, start, gone);
  if (needed === undefined) return ok(rest);
  const { workflow, member } = needed;
  return err(`Workflow '${workflow}' cannot run without agent '${member}'. Keep it, or leave out '${workflow}' too.`);
}

/** Returns the agent with which a run begins that names none. */
function startOf(parsed: ParsedFolder): string | undefined {
  const entry = findEntry(parsed);
  switch (entry.is) {
    case 'named':
      return entry.name;
    case 'card':
    case 'first':
      return entry.card.name;
    case 'unread':
      return parsed.unread.get(entry.file)?.name;
    case 'none':
      return undefined;
  }
}

/** What decides which agents, servers, tools and functions a project has. */
export type ProjectParts = Pick<ParsedFolder, 'cards' | 'unread' | 'config'>;

/** True if the project has this. A tool is there if its server is: only a test of the server lists its tools. */
export function isThere({ cards, unread, config }: ProjectParts, one: LeftOut): boolean {
  switch (one.kind) {
    case 'agent':
      return cards.some(({ name }) => name === one.name) || [...unread.values()].some(({ name }) => name === one.name);
    case 'function':
      return cards.some((card) => functionsOf(card).includes(one.name));
    default: {
      const server = one.kind === 'tool' ? one.server : one.name;
      return Object.hasOwn(config.servers, server) || cards.some((card) => serversOf(card).includes(server));
    }
  }
}

function unknownSentence(one: LeftOut): string {
  const what =
    one.kind === 'tool'
      ? `server '${one.server}', whose tool '${one.name}' is to be left out`
      : `${one.kind} '${one.name}' to leave out`;
  return `The project has no ${what}. Take '${leftOutName(one)}' off the list of what the run does without.`;
}

function goneOf(leftOut: readonly LeftOut[]): Gone {
  const named = (kind: LeftOut['kind']) => new Set(leftOut.flatMap((one) => (one.kind === kind ? one.name : [])));
  const tools = new Map<string, string[]>();
  for (const one of leftOut) {
    if (one.kind === 'tool') tools.set(one.server, [...(tools.get(one.server) ?? []), one.name]);
  }
  return {
    agents: named('agent'),
    servers: named('server'),
    functions: named('function'),
    tools: Object.fromEntries(tools),
  };
}

function functionsOf(card: Card): readonly string[] {
  return card.type === 'agent' ? card.functionTools.map(({ file, functionName }) => `${file}:${functionName}`) : [];
}

function serversOf(card: Card): readonly string[] {
  const connected = card.type === 'agent' ? card.mcpConnect.map(({ name }) => name) : [];
  return 'servers' in card ? [...card.servers, ...connected] : connected;
}

/** Returns a card without its references to what is gone. The pair of an evaluator and the worker of MAKER stay: those need it. */
function cardWithout(card: Card, gone: Gone): Card {
  const stays = (name: string) => !gone.agents.has(name);
  switch (card.type) {
    case 'agent':
      return {
        ...withoutServers(card, gone),
        agents: card.agents.filter(stays),
        mcpConnect: card.mcpConnect.filter(({ name }) => !gone.servers.has(name)),
        functionTools: card.functionTools.filter(
          ({ file, functionName }) => !gone.functions.has(`${file}:${functionName}`),
        ),
      };
    case 'router':
      return { ...withoutServers(card, gone), agents: card.agents.filter(stays) };
    case 'orchestrator':
    case 'iterative_planner':
      return { ...card, agents: card.agents.filter(stays) };
    case 'chain':
      return { ...card, sequence: card.sequence.filter(stays) };
    case 'parallel': {
      const { fanIn } = card;
      return {
        ...card,
        fanOut: card.fanOut.filter(stays),
        fanIn: fanIn === undefined || stays(fanIn) ? fanIn : undefined,
      };
    }
    case 'evaluator_optimizer':
    case 'MAKER':
    case 'a2a':
      return card;
  }
}

function withoutServers<C extends AgentCard | RouterCard>(card: C, { servers, tools }: Gone): C {
  const stays = <T>(filter: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(filter).filter(([server]) => !servers.has(server)));
  return {
    ...card,
    servers: card.servers.filter((server) => !servers.has(server)),
    tools: stays(card.tools),
    resources: stays(card.resources),
    prompts: stays(card.prompts),
    toolsLeftOut: stays(bothLeftOut(card.toolsLeftOut ?? {}, tools)),
  };
}

type ToolNames = Readonly<Record<string, readonly string[]>>;

function bothLeftOut(before: ToolNames, now: ToolNames): ToolNames {
  const servers = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return Object.fromEntries(servers.map((server) => [server, [...(before[server] ?? []), ...(now[server] ?? [])]]));
}

function toolsetsWithout(toolsets: Settings['toolsets'], { agents }: Gone): Settings['toolsets'] {
  const stays = (names: readonly string[]) => names.filter((name) => !agents.has(name));
  return Object.fromEntries(
    Object.entries(toolsets).map(([agent, { delegation, worker_tools }]) => [
      agent,
      {
        delegation: delegation?.allow_workers
          ? { ...delegation, allow_workers: stays(delegation.allow_workers) }
          : delegation,
        worker_tools: worker_tools && { workers: stays(worker_tools.workers) },
      },
    ]),
  );
}

/** Returns a workflow that the run can reach and that has lost a step it cannot do without. `written` are the cards as they are. */
function findNeeded(
  written: readonly Card[],
  { cards, settings }: ParsedFolder,
  start: string | undefined,
  { agents }: Gone,
): { readonly workflow: string; readonly member: string } | undefined {
  const byName = new Map(cards.toReversed().map((card) => [card.name, card]));
  const entry = byName.get(start ?? '');
  if (entry === undefined) return undefined;
  for (const card of reachableFrom(entry, byName, settings).values()) {
    const was = written.find(({ file }) => file === card.file) ?? card;
    const [member] = membersOf(was).filter((name) => agents.has(name));
    if (member !== undefined && isNeeded(card, agents)) return { workflow: card.name, member };
  }
  return undefined;
}

/** True if a card that has lost a member cannot do without it. */
function isNeeded(card: Card, gone: ReadonlySet<string>): boolean {
  switch (card.type) {
    case 'agent':
      return false;
    case 'parallel':
      return card.fanOut.length === 0;
    default: {
      const left = membersOf(card);
      return left.length === 0 || left.some((name) => gone.has(name));
    }
  }
}
