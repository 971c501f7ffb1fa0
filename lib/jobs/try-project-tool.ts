import type { HookLine } from '@/lib/base/hook-report';
import type { TaskId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { TaskAnswer, ToolRequest } from '@/lib/base/task';
import { agentView } from '@/lib/cards/agent-view';
import type { AgentCard } from '@/lib/cards/card';
import { withoutFixtures } from '@/lib/cards/fixture-files';
import type { PolicyRule } from '@/lib/cards/policy/rule';
import { tryTool } from '@/lib/runtime/calls/try-tool';
import type { LogBody, ToolPort } from '@/lib/runtime/ports';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { scopeOf, type TaskProject } from './probe-project';
import type { RunContext } from './run-context';

/** An answer has at most this many characters of JSON text. */
const mostChars = 8_000_000;
/** The last lines that a report has. */
const mostLines = 200;
/** The longest line, in characters, before secrets are hidden in it. Afterwards it is cut once more (`shownLine`). */
const longestLine = 64_000;

type ToolContext = Pick<RunContext, 'clock' | 'python' | 'mcp' | 'modelEnv' | 'projectSignIns'>;

export interface TryPlace {
  /** No other try has it. */
  readonly id: TaskId;
  /** The rules of the team. */
  readonly policy: readonly PolicyRule[];
  /** The schema of the arguments as the server of the tool told it in its last test. */
  readonly knownSchema: JsonObject | undefined;
}

/** A port for one tool, which ends with `close`. */
interface OnePort {
  readonly port: ToolPort;
  close(): Promise<void>;
}

/**
 * Calls one tool of an agent as a run calls it: in a sandbox of its own, or at a server that is started or reached for this call
 * alone, and ended after it.
 */
export async function tryProjectTool(
  context: ToolContext,
  project: TaskProject,
  { id, policy, knownSchema }: TryPlace,
  request: ToolRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const { settings, cards } = project.reading.parsed;
  const card = cards.find(({ name }) => name === request.agent);
  if (card === undefined) {
    const message = `There is no agent '${request.agent}' any more. Choose another one.`;
    return { ok: false, code: 'not_found', message };
  }
  const own = withOnly(agentView(card), request);
  if (typeof own === 'string') return { ok: false, code: 'not_found', message: own };
  // A line of a server comes twice while a call is under way: for the connection and for the call.
  const lines = new Set<LogBody>();
  const log = (body: LogBody) => {
    lines.add(body);
    const [first] = lines;
    if (lines.size > mostLines && first !== undefined) lines.delete(first);
  };
  const { port, close } = openPort(context, project, request, log);
  const { tool, arguments: args, unchecked = false, approve: isApproved = false } = request;
  const tried = { tool, args, knownSchema, unchecked, isApproved, id, signal, log };
  const { clock } = context;
  // What a server printed may arrive after its answer, and all of it is there when it has ended.
  const found = await tryTool({ ...tried, card: own, settings, policy, port, clock }).finally(close);
  if (!found.ok) return { ok: false, ...found.error };
  const report = { ...found.value, agent: card.name, log: [...lines].map(shown) };
  if (JSON.stringify(report).length <= mostChars) return { ok: true, kind: 'tool', report };
  const message = 'The tool answered with more than 8 million characters. Ask it for less.';
  return { ok: false, code: 'too_large', message };
}

function openPort(
  context: ToolContext,
  project: TaskProject,
  { server }: ToolRequest,
  log: (body: LogBody) => void,
): OnePort {
  if (server === undefined) {
    const code = createCodeHosts({ folder: withoutFixtures(project.folder), python: context.python });
    return { port: code.tools, close: () => code.close() };
  }
  // Nobody answers here: the server is told that it can neither ask people nor use a model.
  const { consentOf: _, ...scope } = scopeOf(context, project);
  const port = context.mcp.port({ ...scope, alone: { log } });
  return { port, close: () => port.close() };
}

/** Returns the card with what the tool needs and nothing else, so that nothing else starts; or why the card has no such tool. */
function withOnly(card: AgentCard, { tool, server }: ToolRequest): AgentCard | string {
  if (server === undefined) {
    // A run offers the first function of a name.
    const spec = card.functionTools.find(({ functionName }) => functionName === tool);
    if (spec === undefined) return `Agent '${card.name}' has no function tool '${tool}'. Its card may have changed.`;
    return { ...card, functionTools: [spec], servers: [], mcpConnect: [] };
  }
  const servers = card.servers.filter((name) => name === server);
  const mcpConnect = card.mcpConnect.filter(({ name }) => name === server);
  if (servers.length + mcpConnect.length === 0) {
    return `Agent '${card.name}' does not use server '${server}'. Give it to the agent, then try its tools.`;
  }
  return { ...card, functionTools: [], servers, mcpConnect };
}

function shown({ level, message }: LogBody): HookLine {
  return { level, message: message.slice(0, longestLine) };
}

/** Cuts a line to what a report shows. A secret in it must be hidden before, so that no part of it is left at the cut. */
export function shownLine({ level, message }: HookLine): HookLine {
  return { level, message: message.slice(0, 4_000) };
}
