import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { AgentCard } from '@/lib/cards/card';
import type { FastAgentConfig, ServerConfig } from '@/lib/cards/config';
import type { ToolCallContext, ToolDescriptor } from '@/lib/runtime/ports';

/** Builders for tests of MCP servers. */

export const realClock: Clock = {
  now: () => brandAs<EpochMs>(Date.now()),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
    }),
};

/** A file of an installed package, wherever npm put it. */
export function modulePath(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => path.join(folder, name)).find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${name} is not installed`);
  return file;
}

export function configOf(servers: Readonly<Record<string, Partial<ServerConfig>>>): FastAgentConfig {
  const full = Object.entries(servers).map(([name, server]): [string, ServerConfig] => [
    name,
    {
      name,
      transport: server.url === undefined ? 'stdio' : 'http',
      command: undefined,
      args: [],
      env: {},
      cwd: undefined,
      url: undefined,
      headers: {},
      accessToken: undefined,
      readTimeoutSeconds: undefined,
      includeInstructions: true,
      loadOnStart: true,
      reconnectOnDisconnect: true,
      description: undefined,
      raw: {},
      ...server,
    },
  ]);
  return {
    file: 'fast-agent.yaml',
    servers: Object.fromEntries(full),
    defaultModel: undefined,
    modelReferences: {},
    raw: {},
  };
}

export function agentCard(changes: Partial<AgentCard> = {}): AgentCard {
  return {
    type: 'agent',
    file: 'agent-cards/lead.md',
    name: 'lead',
    instruction: undefined,
    description: undefined,
    isDefault: false,
    toolOnly: false,
    schemaVersion: 1,
    model: undefined,
    useHistory: true,
    requestParams: {},
    apiKey: undefined,
    humanInput: false,
    saveTrajectory: false,
    messages: [],
    servers: [],
    tools: {},
    resources: {},
    prompts: {},
    historySource: undefined,
    historyMergeTarget: undefined,
    maxParallel: undefined,
    childTimeoutSec: undefined,
    maxDisplayInstances: undefined,
    agents: [],
    functionTools: [],
    toolHooks: { form: 'none' },
    lifecycleHooks: {},
    mcpConnect: [],
    skills: undefined,
    toolInputSchema: undefined,
    trimToolHistory: false,
    shell: false,
    cwd: undefined,
    subagents: undefined,
    subagentModel: undefined,
    harnessTools: false,
    commands: {},
    variables: undefined,
    ...changes,
  };
}

export function callContext(changes: Partial<ToolCallContext> = {}): ToolCallContext {
  return {
    runId: brandAs('run-1'),
    path: brandAs('lead'),
    agentName: 'lead',
    instanceName: 'lead',
    callId: brandAs('call-1'),
    correlationId: brandAs('correlation-1'),
    idempotencyKey: brandAs('lead#t1'),
    signal: new AbortController().signal,
    log: () => undefined,
    ...changes,
  };
}

export function toolNamed(tools: readonly ToolDescriptor[], name: string): ToolDescriptor {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined)
    throw new Error(`No tool ${name} among ${tools.map((candidate) => candidate.name).join(', ')}`);
  return tool;
}
