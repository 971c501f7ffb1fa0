import type { Json, JsonObject } from '@/lib/base/json';
import type { ProviderSections } from './models/provider-settings';

/** A server of `mcp.servers` in fast-agent.yaml, with defaults. `${VAR}` is not filled in. */
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
  /** `undefined`: 30 s for http and sse, off for stdio. 0: off. */
  readonly pingIntervalSeconds: number | undefined;
  /** The connection ends after this many unanswered pings in a row. */
  readonly maxMissedPings: number;
  readonly elicitation: ElicitationMode;
  /** The model for sampling requests. `undefined`: the model of the calling agent. */
  readonly samplingModel: string | undefined;
  readonly roots: readonly ServerRoot[];
  readonly description: string | undefined;
  /** The parsed mapping, with fields that Callboard does not use. */
  readonly raw: JsonObject;
}

/** The answer to elicitation: a form, an immediate "cancel", or no support for it. */
export type ElicitationMode = 'forms' | 'auto-cancel' | 'none';

export interface ServerRoot {
  /** The URI for the server: the alias if there is one. */
  readonly uri: string;
  readonly name: string | undefined;
}

/** The settings of fast-agent.yaml (or fastagent.config.yaml) that Callboard uses. */
export interface FastAgentConfig {
  /** The path of the file. `undefined`: the folder has none. */
  readonly file: string | undefined;
  readonly servers: Readonly<Record<string, ServerConfig>>;
  readonly defaultModel: string | undefined;
  /** Model strings by namespace and key. */
  readonly modelReferences: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The sections of model providers. */
  readonly providers: ProviderSections;
  readonly raw: Json;
}
