import type { KnownServers } from '@/lib/base/known-servers';
import { filterTakes } from '@/lib/base/name-filter';
import { agentView } from '@/lib/cards/agent-view';
import type { AgentCard } from '@/lib/cards/card';
import { namesIn } from '@/lib/cards/filter-patterns';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { GraphNode } from '@/lib/graph/graph';
import type { ToolChoice } from './tool-bench';

/** Where somebody asks to try a tool: at an agent, at a server or one of its tools, or at a function. */
export type ToolPlace =
  | { readonly kind: 'agent'; readonly agent: string }
  | {
      readonly kind: 'server';
      readonly server: string;
      readonly tool?: string | undefined;
      readonly agent?: string | undefined;
    }
  | { readonly kind: 'function'; readonly file: string; readonly name: string };

/** Returns where the tools of a node are tried; `undefined` for a node without any. */
export function toolPlaceOf(node: GraphNode): ToolPlace | undefined {
  if (node.kind === 'builtin' || node.missing) return undefined;
  switch (node.kind) {
    case 'agent':
      return node.type === 'a2a' ? undefined : { kind: 'agent', agent: node.name };
    case 'server':
      return { kind: 'server', server: node.name };
    case 'function':
      return { kind: 'function', file: node.file, name: node.name };
  }
}

/**
 * Returns the tool that the bench opens with, or a sentence that says why there is none. A tool belongs to the first agent that has it.
 * `tool` is empty where somebody has to choose one.
 */
export function choiceAt(
  { cards }: Pick<ParsedFolder, 'cards'>,
  known: KnownServers,
  place: ToolPlace,
): ToolChoice | string {
  if (place.kind === 'agent') return firstOf(cards, known, place.agent);
  if (place.kind === 'function') {
    const user = cards.find((card) => offers(agentView(card), place));
    if (user !== undefined) return { agent: user.name, tool: place.name, server: undefined };
    return `No agent has the function '${place.name}' of ${place.file} as a tool. Give it to an agent, then try it.`;
  }
  const { server, agent } = place;
  const users = cards.filter(
    (card) => (agent === undefined || card.name === agent) && hasServer(agentView(card), server),
  );
  if (users.length === 0) return `No agent uses server '${server}'. Connect it to an agent, then try its tools.`;
  for (const user of users) {
    const choice = toolOf(agentView(user), known, server, place.tool);
    if (choice !== undefined) return choice;
  }
  if (place.tool !== undefined) {
    return `No agent takes '${place.tool}' of server '${server}'. Tick it in the form of a wire to the server, then try it.`;
  }
  return { agent: users[0]?.name ?? '', tool: '', server: undefined };
}

/** The first tool that an agent is known to have: of its servers, otherwise a function. */
function firstOf(cards: ParsedFolder['cards'], known: KnownServers, agent: string): ToolChoice {
  const open = { agent, tool: '', server: undefined };
  const card = cards.find(({ name }) => name === agent);
  if (card === undefined) return open;
  const view = agentView(card);
  const servers = [...view.servers, ...view.mcpConnect.map(({ name }) => name)];
  const [first] = servers.flatMap((server) => toolOf(view, known, server) ?? []);
  return first ?? { ...open, tool: view.functionTools[0]?.functionName ?? '' };
}

/** A tool of a server that an agent takes: `wanted`, or the first one. */
function toolOf(
  view: AgentCard,
  known: KnownServers,
  server: string,
  wanted?: string | undefined,
): ToolChoice | undefined {
  const filter = filterOf(view, server);
  const listed = Object.hasOwn(known, server) ? known[server]?.listing.tools : undefined;
  // Before the server has listed its tools, those are known that the card names.
  const names = listed?.map(({ name }) => name) ?? namesIn(filter ?? []);
  const tool = (wanted === undefined ? names : [wanted]).find((name) => filterTakes(filter, name));
  return tool === undefined ? undefined : { agent: view.name, tool: `${server}__${tool}`, server };
}

/** A model gets the first function of a name. */
function offers(
  { functionTools }: AgentCard,
  { file, name }: { readonly file: string; readonly name: string },
): boolean {
  return functionTools.find(({ functionName }) => functionName === name)?.file === file;
}

function hasServer({ servers, mcpConnect }: AgentCard, server: string): boolean {
  return servers.includes(server) || mcpConnect.some(({ name }) => name === server);
}

function filterOf({ tools }: AgentCard, server: string): readonly string[] | undefined {
  return Object.hasOwn(tools, server) ? tools[server] : undefined;
}
