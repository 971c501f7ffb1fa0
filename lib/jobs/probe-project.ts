import { err, ok, type Result } from '@/lib/base/result';
import type { ProbeRequest, TaskAnswer } from '@/lib/base/task';
import type { McpConnectEntry } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { consentBy } from '@/lib/cards/mcp-settings';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { McpScope } from '@/lib/tools/mcp/pool';
import type { ServerSpec } from '@/lib/tools/mcp/server-spec';
import type { RunContext, RunReading } from './run-context';

/** The folder that a task is about. */
export interface TaskProject {
  readonly folder: Folder;
  readonly reading: RunReading;
  /** The folder on disk. */
  readonly root: string;
  /** True if only what the confirmed list of capabilities has may be started or called. */
  readonly needsConfirmation: boolean;
}

/** Probes a server of a project in the environment of its runs. */
export async function probeProject(
  context: ProbeContext,
  project: TaskProject,
  request: ProbeRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const named = serverNamed(context, project, request);
  if (!named.ok) return { ok: false, ...named.error };
  return { ok: true, kind: 'probe', report: await context.mcp.probe(scopeOf(context, project), named.value, signal) };
}

/** Returns the settings with which a server of a project is called, or a string with the reason why it cannot be used. */
export function serverToProbe(
  context: ProbeContext,
  project: TaskProject,
  request: Omit<ProbeRequest, 'kind'>,
): ServerSpec | string {
  const named = serverNamed(context, project, request);
  return named.ok ? context.mcp.specOf(scopeOf(context, project), named.value) : named.error.message;
}

type ProbeContext = Pick<RunContext, 'mcp' | 'modelEnv' | 'accounts' | 'projectSignIns'>;

/** Returns where the servers of a project are found, as in its runs. */
export function scopeOf(
  { modelEnv: { projectEnv, bound }, projectSignIns }: Pick<ProbeContext, 'modelEnv' | 'projectSignIns'>,
  { reading, root }: TaskProject,
): McpScope {
  const { parsed, config, secrets } = reading;
  const consentOf = consentBy(parsed.settings.mcp);
  return { config, root, secrets, consentOf, projectEnv, bound, signIns: projectSignIns };
}

function serverNamed(
  { accounts }: ProbeContext,
  { reading: { parsed, config }, needsConfirmation }: TaskProject,
  { server, agent }: Omit<ProbeRequest, 'kind'>,
): Result<string | McpConnectEntry, { readonly code: string; readonly message: string }> {
  const named = agent === undefined ? server : entryOf(parsed, agent, server);
  if (named === undefined) {
    const message = `Agent '${agent}' connects to no server '${server}'. Its card may have changed; try again.`;
    return err({ code: 'not_found', message });
  }
  if (needsConfirmation && agent === undefined && !isUsed(parsed, server)) {
    const message = `No agent uses server '${server}', so nobody has confirmed what it starts or calls. Give it to an agent, confirm the list, then test it.`;
    return err({ code: 'not_confirmed', message });
  }
  const { servers } = config;
  const isCommand = Object.hasOwn(servers, server) && servers[server]?.transport === 'stdio';
  if (accounts && agent === undefined && isCommand && !isUsed(parsed, server)) {
    const message = `No agent uses server '${server}', so no administrator can approve its command. Give it to an agent, then test it.`;
    return err({ code: 'not_approved', message });
  }
  return ok(named);
}

function entryOf({ cards }: ParsedFolder, agent: string, server: string): McpConnectEntry | undefined {
  const card = cards.find(({ name }) => name === agent);
  return card && 'mcpConnect' in card ? card.mcpConnect.find(({ name }) => name === server) : undefined;
}

/** The list of capabilities has the servers that a card uses, and no others. */
function isUsed({ cards }: ParsedFolder, server: string): boolean {
  return cards.some((card) => 'servers' in card && card.servers.includes(server));
}
