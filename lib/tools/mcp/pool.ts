import type { Clock } from '@/lib/base/clock';
import type { Issue } from '@/lib/base/issue';
import type { AgentCard } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { LogBody, ToolDescriptor, ToolPort } from '@/lib/runtime/ports';
import { type Connection, createConnection } from './connection';
import { globMatch } from './glob-match';
import { connectSpec, type Env, type ServerSpec, serverSpec } from './server-spec';
import { errorResult } from './tool-result';

export interface McpPoolInput {
  readonly clock: Clock;
  /** Every line servers print or log, secrets hidden. Lines during a call also go to that call's run. */
  log(body: LogBody): void;
  /** What `${VAR}` in server settings reads, and what servers inherit their PATH from. */
  readonly env: Env;
  /** Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** A server without calls for this long is closed, and started again when needed. Default 5 minutes. */
  readonly idleMs?: number;
}

export interface McpPool {
  /**
   * The MCP tools of one folder. `root` is the folder on disk, where stdio servers run. Ports of the same root and server
   * settings share one connection.
   */
  port(scope: { readonly config: FastAgentConfig; readonly root: string }): ToolPort;
  /** Ends every server; nothing can be called afterwards. */
  close(): Promise<void>;
}

/** One per worker. Starts nothing by itself: a server is started when an agent that names it lists its tools. */
export function createMcpPool(input: McpPoolInput): McpPool {
  const connections = new Map<string, Connection>();

  function connect(spec: ServerSpec): Connection {
    const key = JSON.stringify(spec);
    let connection = connections.get(key);
    if (connection === undefined) {
      connection = createConnection({
        spec,
        clock: input.clock,
        log: input.log,
        connectTimeoutMs: input.connectTimeoutMs ?? 10_000,
        idleMs: input.idleMs ?? 300_000,
      });
      connections.set(key, connection);
    }
    return connection;
  }

  return {
    port: ({ config, root }) => createPort({ config, root, env: input.env, connect }),
    async close() {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

interface Scope {
  readonly config: FastAgentConfig;
  readonly root: string;
  readonly env: Env;
  connect(spec: ServerSpec): Connection;
}

type Attached =
  | { readonly name: string; readonly connection: Connection }
  | { readonly name: string; readonly problem: string };

function createPort(scope: Scope): ToolPort {
  const attached = new WeakMap<AgentCard, readonly Attached[]>();
  /** Which connection a listed tool came from: a card's own `mcp_connect` may reuse a name. */
  const owners = new WeakMap<ToolDescriptor, Connection>();
  const byName = new Map<string, Connection>();

  function serversOf(card: AgentCard): readonly Attached[] {
    let servers = attached.get(card);
    if (servers === undefined) {
      servers = attach(card, scope);
      attached.set(card, servers);
    }
    return servers;
  }

  return {
    async list(card, signal) {
      const listed = await Promise.all(
        serversOf(card).map(async (server) => {
          if ('problem' in server) return { tools: [], issues: [unavailable(card, server.name, server.problem)] };
          const result = await server.connection.tools(signal);
          if (!result.ok) return { tools: [], issues: [unavailable(card, server.name, result.error)] };
          byName.set(server.name, server.connection);
          for (const tool of result.value) owners.set(tool, server.connection);
          const patterns = Object.hasOwn(card.tools, server.name) ? card.tools[server.name] : undefined;
          return { tools: result.value.filter((tool) => allowed(tool, patterns)), issues: [] };
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
      return connection.call(tool, args, context);
    },
    version: (card) =>
      serversOf(card).reduce((sum, server) => sum + ('connection' in server ? server.connection.version() : 0), 0),
  };
}

/** The servers of a card in the order it names them, `mcp_connect` after `servers`. */
function attach(card: AgentCard, { config, root, env, connect }: Scope): readonly Attached[] {
  const specs = new Map<string, ServerSpec | string>();
  for (const name of card.servers) {
    const server = Object.hasOwn(config.servers, name) ? config.servers[name] : undefined;
    const where = config.file ?? 'fast-agent.yaml';
    specs.set(
      name,
      server === undefined ? `it is not defined. Add it under mcp.servers in ${where}.` : serverSpec(server, root, env),
    );
  }
  for (const entry of card.mcpConnect) specs.set(entry.name, connectSpec(entry, root, env));
  return [...specs].map(([name, spec]) =>
    typeof spec === 'string'
      ? { name, problem: `Server '${name}' cannot be used: ${spec}` }
      : { name, connection: connect(spec) },
  );
}

function allowed(tool: ToolDescriptor, patterns: readonly string[] | undefined): boolean {
  return patterns === undefined || patterns.some((pattern) => globMatch(pattern, tool.remoteName ?? tool.name));
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
