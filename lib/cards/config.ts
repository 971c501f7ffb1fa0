import type { Json, JsonObject } from '@/lib/base/json';

/** A server of `mcp.servers` in fast-agent.yaml, with defaults. `${VAR}` is not filled in. */
export interface ServerConfig {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The path is relative to the folder. */
  readonly cwd: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken: string | undefined;
  readonly readTimeoutSeconds: number | undefined;
  readonly includeInstructions: boolean;
  readonly loadOnStart: boolean;
  readonly reconnectOnDisconnect: boolean;
  /** Seconds between pings. `undefined` means 30 s for http and sse, and no pings for stdio. 0 means no pings. */
  readonly pingIntervalSeconds: number | undefined;
  /** The connection ends after this many unanswered pings in a row. */
  readonly maxMissedPings: number;
  readonly elicitation: ElicitationMode;
  /** True if the file says `elicitation: {mode: forms}`. Without it `forms` is only the default. */
  readonly asksPeople: boolean;
  readonly protocolMode: ProtocolMode;
  /** The model for sampling requests. `undefined` means the model of the calling agent. */
  readonly samplingModel: string | undefined;
  readonly roots: readonly ServerRoot[];
  readonly description: string | undefined;
  /** The parsed mapping, including fields that Callboard does not use. */
  readonly raw: JsonObject;
}

/** The answer to elicitation: a form, an immediate "cancel", or no support for it. */
export type ElicitationMode = 'forms' | 'auto-cancel' | 'none';

/** Which protocols are tried: 2026-07-28 (`modern`), the earlier ones (`legacy`), or both. */
export type ProtocolMode = 'auto' | 'modern' | 'legacy';

/** What a server may ask for in a run. */
export interface ServerConsent {
  readonly sampling: 'never' | 'ask' | 'allow';
  /** True if people are asked what it asks. */
  readonly elicitation: boolean;
}

export interface ServerRoot {
  /** The URI that the server sees, which is the alias if there is one. */
  readonly uri: string;
  readonly name: string | undefined;
}

/** The settings of fast-agent.yaml (or fastagent.config.yaml) that Callboard uses. */
export interface FastAgentConfig {
  /** The path of the file with the servers; `undefined` if the folder has none. */
  readonly file: string | undefined;
  /** Present where servers stand in a file of another program: the file with everything else, `undefined` if there is none. */
  readonly beside?: { readonly file: string | undefined };
  readonly servers: Readonly<Record<string, ServerConfig>>;
  readonly defaultModel: string | undefined;
  /** Model strings by namespace and key. */
  readonly modelReferences: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The sections of model providers. */
  readonly providers: ProviderSections;
  readonly raw: Json;
}

/** A provider's section of fast-agent.yaml. `${VAR}` is not filled in. */
export interface ProviderSettings {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The model for a model string that names only the provider. */
  readonly defaultModel: string | undefined;
  /** The default reasoning effort, when neither the card nor the model string sets one. */
  readonly reasoning: string | undefined;
  /** The format of requests, if it is not the provider's usual one: `chat` for OpenAI's chat completions, and so on. */
  readonly wire: string | undefined;
  /** What Anthropic keeps between requests: nothing, the instruction and the tools, or the conversation too. */
  readonly cacheMode: string | undefined;
  readonly azure: AzureSettings | undefined;
}

export interface AzureSettings {
  readonly resourceName: string | undefined;
  readonly deployment: string | undefined;
  readonly apiVersion: string | undefined;
  /** True if the section uses an account of the machine instead of a key. */
  readonly usesAccount: boolean;
}

/** Settings by section name. */
export type ProviderSections = Readonly<Record<string, ProviderSettings>>;
