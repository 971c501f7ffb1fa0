import path from 'node:path';
import type { Clock } from '@/lib/base/clock';
import type { Issue } from '@/lib/base/issue';
import { isRecord, type Json } from '@/lib/base/json';
import { filterTakes } from '@/lib/base/name-filter';
import type { Bindings } from '@/lib/base/places';
import type { ProbeReport } from '@/lib/base/probe-report';
import { noProjectEnv, type ProjectEnv } from '@/lib/base/project-env';
import type { AgentCard, Card, McpConnectEntry } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { LogBody, ServerInstructions, ToolDescriptor, ToolPort } from '@/lib/runtime/ports';
import { createAddressGuard } from './address-guard';
import { type Connection, createConnection } from './connection';
import type { OwnAddress } from './own-addresses';
import { probeServer } from './probe';
import { type ContentTool, contentTools } from './server-content';
import { connectSpec, type Env, type ServerPolicy, type ServerSpec, serverSpec } from './server-spec';
import type { SignIns } from './sign-ins';
import { errorResult } from './tool-result';

export interface McpPoolInput {
  readonly clock: Clock;
  /** Receives every line that servers print or log, without secrets. Lines during a call also go to the run of the call. */
  log(body: LogBody): void;
  /** The environment from which servers inherit PATH and similar variables. */
  readonly env: Env;
  /** The values for `${NAME}` in server settings; none by default. */
  readonly projectEnv?: ProjectEnv;
  /** Goes to `createAddressGuard`. By default private addresses are not called. */
  readonly allowPrivateUrls?: string | undefined;
  /** Addresses that are never called, even if an operator allows them. */
  readonly own?: readonly OwnAddress[] | undefined;
  /**
   * The time limit of a connection. By default it is 30 s for a command, which may download its package, and 10 s for a
   * URL.
   */
  readonly connectTimeoutMs?: number;
  /** A server without calls for this long is closed, and opened again when needed; 5 minutes by default. */
  readonly idleMs?: number;
}

export interface McpScope {
  /** The config, with the secrets file merged in. */
  readonly config: FastAgentConfig;
  /** The working directory of stdio servers. */
  readonly root: string;
  /** The values of the folder's secrets file, which are hidden in messages and results. */
  readonly secrets?: readonly string[];
  /** The values for `${NAME}`; those of the pool by default. */
  readonly projectEnv?: ProjectEnv;
  readonly bound?: Bindings | undefined;
  /** The sign-ins of people that may be used; none by default. */
  readonly signIns?: SignIns | undefined;
  /** Says what a server may ask for; nothing by default. `config` is its entry, `undefined` for a server that a card connects. */
  readonly consentOf?: ServerPolicy['consentOf'];
  /** Gives the port connections of its own, which end with it, and every line of its servers from their start on. */
  readonly alone?: { log(body: LogBody): void } | undefined;
}

export interface McpPort extends ToolPort {
  /**
   * Cancels the tasks of servers that calls of these cards have kept (`KeptForCall`) and that go on nowhere, because their run has ended. Waits
   * 10 seconds at most, and reports no failure: a server need not be there any more.
   */
  abandon(kept: readonly Json[], cards: readonly Card[]): Promise<void>;
  /** Closes the connections that belong to this port alone. */
  close(): Promise<void>;
}

export interface McpPool {
  /**
   * Returns the MCP tools of one folder, for one run. Ports with the same root and server settings share a connection,
   * unless a server may ask people or use a model: then the run that answers and pays must be known.
   */
  port(scope: McpScope): McpPort;
  /**
   * Starts or contacts a server as a run does, lists what it offers, and ends it. `server` names one of the config or is an
   * entry of a card's `mcp_connect`. Never throws. Stops soon after the signal aborts.
   */
  probe(scope: McpScope, server: string | McpConnectEntry, signal: AbortSignal): Promise<ProbeReport>;
  /** Returns the settings with which a server is called; a string with the reason why it cannot be used. */
  specOf(scope: McpScope, server: string | McpConnectEntry): ServerSpec | string;
  /** Closes the servers in a folder that no run uses any more. */
  leave(root: string): Promise<void>;
  /** Closes every server. No server can be called afterwards. */
  close(): Promise<void>;
}

/**
 * Creates the one pool of a worker. A server is started when an agent that names it lists its tools. Longer than 80 lines because all
 * of it shares the open connections.
 */
export function createMcpPool(input: McpPoolInput): McpPool {
  const shared = new Map<string, Connection>();
  const own = new Set<Connection>();
  const guard = createAddressGuard(input.allowPrivateUrls, { own: input.own });

  function connectTimeoutOf(spec: ServerSpec): number {
    return input.connectTimeoutMs ?? (spec.transport === 'stdio' ? 30_000 : 10_000);
  }

  function open(spec: ServerSpec, { alone }: McpScope): Connection {
    return createConnection({
      spec,
      clock: input.clock,
      guard,
      log(body) {
        input.log(body);
        alone?.log(body);
      },
      connectTimeoutMs: connectTimeoutOf(spec),
      idleMs: input.idleMs ?? 300_000,
    });
  }

  function policyOf({ secrets = [], consentOf = noConsent, projectEnv, bound, signIns }: McpScope): ServerPolicy {
    return {
      env: input.env,
      projectEnv: projectEnv ?? input.projectEnv ?? noProjectEnv,
      secrets,
      consentOf,
      bound,
      signIns,
    };
  }

  function specIn(place: McpScope, server: string | McpConnectEntry): ServerSpec | string {
    const { config, root } = place;
    const policy = policyOf(place);
    return typeof server === 'string' ? specOf(server, config, root, policy) : connectSpec(server, root, policy);
  }

  return {
    port(place) {
      const mine = new Map<string, Connection>();
      const { config, root } = place;
      const policy = policyOf(place);
      const tools = createPort({
        config,
        root,
        policy,
        clock: input.clock,
        connect(spec) {
          const key = JSON.stringify(spec);
          const isOwn = place.alone !== undefined || spec.asksPeople || spec.sampling !== undefined;
          const connections = isOwn ? mine : shared;
          let connection = connections.get(key);
          if (connection === undefined) {
            connection = open(spec, place);
            connections.set(key, connection);
            if (isOwn) own.add(connection);
          }
          return connection;
        },
      });
      return {
        ...tools,
        async close() {
          for (const connection of mine.values()) own.delete(connection);
          await Promise.all([...mine.values()].map((connection) => connection.close()));
        },
      };
    },
    specOf: specIn,
    async probe(place, server, signal) {
      const name = typeof server === 'string' ? server : server.name;
      const spec = specIn(place, server);
      return await probeServer({
        server: name,
        spec: typeof spec === 'string' ? unusable(name, spec) : spec,
        clock: input.clock,
        guard,
        connectTimeoutMs: typeof spec === 'string' ? 0 : connectTimeoutOf(spec),
        signal,
      });
    },
    async leave(root) {
      const left = [...shared].filter(([, { spec }]) => spec.transport === 'stdio' && isInside(spec.cwd, root));
      for (const [key] of left) shared.delete(key);
      await Promise.all(left.map(([, connection]) => connection.close()));
    },
    async close() {
      await Promise.all([...shared.values(), ...own].map((connection) => connection.close()));
    },
  };
}

/** A server is started, if need be, and asked to cancel tasks within this time. */
const abandonMs = 10_000;

const noConsent: ServerPolicy['consentOf'] = () => ({ sampling: 'never', elicitation: false });

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root + path.sep);
}

interface Scope {
  readonly config: FastAgentConfig;
  readonly root: string;
  readonly policy: ServerPolicy;
  readonly clock: Clock;
  connect(spec: ServerSpec): Connection;
}

type Attached =
  | { readonly name: string; readonly connection: Connection }
  | { readonly name: string; readonly problem: string };

function createPort(scope: Scope): Omit<McpPort, 'close'> {
  const attached = new WeakMap<AgentCard, readonly Attached[]>();
  /**
   * Maps each listed tool to its connection. The name is not enough, because `mcp_connect` of a card may use the same one.
   */
  const owners = new WeakMap<ToolDescriptor, Connection>();
  /** Holds the generated tools for resources and prompts, which differ between cards. */
  const made = new WeakMap<ToolDescriptor, ContentTool>();
  const byName = new Map<string, Connection>();
  /** The sentences about items with faults that this run has had. */
  const told = new Set<string>();

  function serversOf(card: AgentCard): readonly Attached[] {
    let servers = attached.get(card);
    if (servers === undefined) {
      servers = attach(card, scope);
      attached.set(card, servers);
    }
    return servers;
  }

  return {
    async list(card, signal, onStart) {
      const listed = await Promise.all(
        serversOf(card).map(async (server) => {
          if ('problem' in server) {
            onStart?.(server.name)(server.problem);
            return { tools: [], issues: [unavailable(card, server.name, server.problem)] };
          }
          const { name, connection } = server;
          const ended = connection.isListed() ? undefined : onStart?.(name);
          const result = await connection.list(signal);
          ended?.(result.ok ? undefined : result.error);
          if (!result.ok) return { tools: [], issues: [unavailable(card, name, result.error)] };
          byName.set(name, connection);
          const filters = {
            tools: filterOf(card.tools, name),
            resources: filterOf(card.resources, name),
            prompts: filterOf(card.prompts, name),
          };
          const own = result.value.tools.filter((tool) => allowed(tool, filters.tools));
          const extra = contentTools(name, result.value, filters);
          for (const one of extra) made.set(one.tool, one);
          const leftOut = filterOf(card.toolsLeftOut ?? {}, name) ?? [];
          const tools = [...own, ...extra.map(({ tool }) => tool)].filter((tool) => !isLeftOut(tool, leftOut));
          for (const tool of tools) owners.set(tool, connection);
          return { tools, issues: unheard(result.value.faults, told).map((fault) => faultIssue(card, fault)) };
        }),
      );
      return { tools: listed.flatMap(({ tools }) => tools), issues: listed.flatMap(({ issues }) => issues) };
    },
    call(tool, args, context) {
      const connection = owners.get(tool) ?? byName.get(tool.serverName ?? '');
      if (connection === undefined) {
        const message = `Tool '${tool.name}' belongs to no server of this folder.`;
        return Promise.resolve(errorResult('UNKNOWN_TOOL', message));
      }
      const question = made.get(tool)?.question(args);
      if (question === undefined) return connection.call(tool, args, context);
      return typeof question === 'function' ? connection.ask(tool.name, context, question) : Promise.resolve(question);
    },
    abandon: (kept, cards) => abandonTasks(kept, cards, { serversOf, clock: scope.clock }),
    async instructions(card, signal) {
      const told = await Promise.all(
        serversOf(card).map(async (server): Promise<readonly ServerInstructions[]> => {
          const listed = 'connection' in server ? await server.connection.list(signal) : undefined;
          const text = listed?.ok ? listed.value.instructions?.trim() : undefined;
          return text ? [{ serverName: server.name, text }] : [];
        }),
      );
      return told.flat();
    },
    version: (card) =>
      serversOf(card).reduce((sum, server) => sum + ('connection' in server ? server.connection.version() : 0), 0),
  };
}

async function abandonTasks(
  kept: readonly Json[],
  cards: readonly Card[],
  { serversOf, clock }: { serversOf(card: AgentCard): readonly Attached[]; readonly clock: Clock },
): Promise<void> {
  const work = kept.map(async (value) => {
    if (!isRecord(value) || typeof value.task !== 'string' || value.hasEnded === true) return;
    const card = cards.find(({ name }) => name === value.agent);
    const servers = card?.type === 'agent' ? serversOf(card) : [];
    const server = servers.find(({ name }) => name === value.server);
    if (server !== undefined && 'connection' in server) await server.connection.cancelTask(value.task);
  });
  const isDone = new AbortController();
  await Promise.race([Promise.allSettled(work), clock.sleep(abandonMs, isDone.signal)]);
  isDone.abort();
}

function filterOf(filter: AgentCard['tools'], server: string): readonly string[] | undefined {
  return Object.hasOwn(filter, server) ? filter[server] : undefined;
}

/** `leftOut` names tools as their server does. Those that are made for resources and prompts have only the name that the model sees. */
function isLeftOut({ name, remoteName, serverName }: ToolDescriptor, leftOut: readonly string[]): boolean {
  return leftOut.includes(remoteName ?? name) || leftOut.some((own) => name === `${serverName}__${own}`);
}

/** Returns the servers of a card in the order in which it names them, `mcp_connect` after `servers`. */
function attach(card: AgentCard, { config, root, policy, connect }: Scope): readonly Attached[] {
  const specs = new Map<string, ServerSpec | string>();
  for (const name of card.servers) specs.set(name, specOf(name, config, root, policy));
  for (const entry of card.mcpConnect) specs.set(entry.name, connectSpec(entry, root, policy));
  return [...specs].map(([name, spec]) =>
    typeof spec === 'string' ? { name, problem: unusable(name, spec) } : { name, connection: connect(spec) },
  );
}

/** Returns the spec of a server of the config, or a string with the reason why the server cannot be used. */
function specOf(name: string, config: FastAgentConfig, root: string, policy: ServerPolicy): ServerSpec | string {
  const server = Object.hasOwn(config.servers, name) ? config.servers[name] : undefined;
  if (server !== undefined) return serverSpec(server, root, policy);
  return `it is not defined. Add it under mcp.servers in ${config.file ?? 'fast-agent.yaml'}.`;
}

function unusable(name: string, why: string): string {
  return `Server '${name}' cannot be used: ${why}`;
}

function allowed(tool: ToolDescriptor, patterns: readonly string[] | undefined): boolean {
  return filterTakes(patterns, tool.remoteName ?? tool.name);
}

/** Returns the sentences that were not told before, and notes them. */
function unheard(sentences: readonly string[], told: Set<string>): readonly string[] {
  const fresh = sentences.filter((sentence) => !told.has(sentence));
  for (const sentence of fresh) told.add(sentence);
  if (fresh.length <= mostFaults) return fresh;
  return [...fresh.slice(0, mostFaults), `The server lists ${fresh.length - mostFaults} more items with faults.`];
}

/** At most this many items with faults of a server are named in a run. */
const mostFaults = 20;

function faultIssue(card: AgentCard, message: string): Issue {
  const place = { file: card.file, line: 1, column: 1, agent: card.name };
  return { code: 'server-item', severity: 'warning', stage: 'callboard', message, ...place };
}

function unavailable(card: AgentCard, server: string, message: string): Issue {
  return {
    code: 'server-unavailable',
    severity: 'error',
    stage: 'callboard',
    file: card.file,
    line: 1,
    column: 1,
    message: message.includes(`'${server}'`) ? message : `Server '${server}': ${message}`,
    agent: card.name,
  };
}
