import type { ProbeRequest, TaskAnswer } from '@/lib/base/task';
import type { McpConnectEntry } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { consentBy } from '@/lib/cards/mcp-settings';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
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
  { mcp, modelEnv, bound, accounts }: Pick<RunContext, 'mcp' | 'modelEnv' | 'bound' | 'accounts'>,
  { reading, root, needsConfirmation }: TaskProject,
  { server, agent }: ProbeRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const { parsed, config, secrets } = reading;
  const named = agent === undefined ? server : entryOf(parsed, agent, server);
  if (named === undefined) {
    const message = `Agent '${agent}' connects to no server '${server}'. Its card may have changed; try again.`;
    return { ok: false, code: 'not_found', message };
  }
  if (needsConfirmation && agent === undefined && !isUsed(parsed, server)) {
    const message = `No agent uses server '${server}', so nobody has confirmed what it starts or calls. Give it to an agent, confirm the list, then test it.`;
    return { ok: false, code: 'not_confirmed', message };
  }
  const isCommand = Object.hasOwn(config.servers, server) && config.servers[server]?.transport === 'stdio';
  if (accounts && agent === undefined && isCommand && !isUsed(parsed, server)) {
    const message = `No agent uses server '${server}', so no administrator can approve its command. Give it to an agent, then test it.`;
    return { ok: false, code: 'not_approved', message };
  }
  const consentOf = consentBy(parsed.settings.mcp);
  const scope = { config, root, secrets, consentOf, projectEnv: modelEnv.projectEnv, bound };
  return { ok: true, kind: 'probe', report: await mcp.probe(scope, named, signal) };
}

function entryOf({ cards }: ParsedFolder, agent: string, server: string): McpConnectEntry | undefined {
  const card = cards.find(({ name }) => name === agent);
  return card && 'mcpConnect' in card ? card.mcpConnect.find(({ name }) => name === server) : undefined;
}

/** The list of capabilities has the servers that a card uses, and no others. */
function isUsed({ cards }: ParsedFolder, server: string): boolean {
  return cards.some((card) => 'servers' in card && card.servers.includes(server));
}
