import type { Json, JsonObject } from '@/lib/base/json';
import type { ProviderSections } from './models/provider-settings';

/** One server of `mcp.servers` in fast-agent.yaml, defaults filled in. `${VAR}` is kept as written. */
export interface ServerConfig {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Relative to the folder. */
  readonly cwd: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken: string | undefined;
  readonly readTimeoutSeconds: number | undefined;
  readonly includeInstructions: boolean;
  readonly loadOnStart: boolean;
  readonly reconnectOnDisconnect: boolean;
  /** Undefined: 30 s for http and sse, none for stdio. 0: none. */
  readonly pingIntervalSeconds: number | undefined;
  /** Pings in a row without an answer that end the connection. */
  readonly maxMissedPings: number;
  readonly elicitation: ElicitationMode;
  /** Answers what the server asks a model; undefined: the calling agent's. */
  readonly samplingModel: string | undefined;
  readonly roots: readonly ServerRoot[];
  readonly description: string | undefined;
  /** The mapping as read, for fields we carry but do not use. */
  readonly raw: JsonObject;
}

/** What happens when a server asks the user: a form, an immediate "cancel", or it is told that it cannot ask. */
export type ElicitationMode = 'forms' | 'auto-cancel' | 'none';

export interface ServerRoot {
  /** As the server is told: the alias where there is one. */
  readonly uri: string;
  readonly name: string | undefined;
}

/** fast-agent.yaml (or fastagent.config.yaml), as far as Callboard acts on it. */
export interface FastAgentConfig {
  /** Path of the file; undefined when the folder has none. */
  readonly file: string | undefined;
  readonly servers: Readonly<Record<string, ServerConfig>>;
  readonly defaultModel: string | undefined;
  /** namespace → key → model string. */
  readonly modelReferences: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The sections about providers of models, those that are there. */
  readonly providers: ProviderSections;
  readonly raw: Json;
}
