import type { JsonObject } from './json';

/** The steps in which an MCP server is reached. `start` is for a command, `connect` for a URL. */
export const probeStepNames = ['resolve', 'start', 'connect', 'initialize', 'list'] as const;
export type ProbeStepName = (typeof probeStepNames)[number];

export interface ProbeStep {
  readonly name: ProbeStepName;
  /** A step after a failed one is `skipped`. */
  readonly state: 'done' | 'failed' | 'skipped';
  /** Milliseconds; 0 for a skipped step. */
  readonly ms: number;
  /** What was done, or for a failed step a sentence that says what failed. */
  readonly message?: string | undefined;
}

export interface ProbedTool {
  /** The name on the server, as filters and `tools` of a card use it. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  /** Whether the tool declares that it changes nothing (`readOnlyHint`). `undefined` in lists of older versions, which did not ask. */
  readonly readOnly?: boolean | undefined;
}

/** A resource, or a template of resources, whose `uri` then has placeholders in braces. */
export interface ProbedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

export interface ProbedPrompt {
  readonly name: string;
  readonly description?: string | undefined;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

/** What a worker found when it reached a server in the way that a run does. It holds no secret. */
export interface ProbeReport {
  readonly server: string;
  /** The steps in their order. The server works if every step is `done`. */
  readonly steps: readonly ProbeStep[];
  /** The one line that says why a step failed: from stderr, from the HTTP answer, or from the system. */
  readonly why?: string | undefined;
  /** True if somebody has to sign in at the server, and can. */
  readonly needsSignIn?: true | undefined;
  /** The last lines that the server printed or logged. */
  readonly log: readonly string[];
  /** What the server calls itself, with its version. */
  readonly serverInfo?: { readonly name: string; readonly version: string } | undefined;
  readonly tools: readonly ProbedTool[];
  readonly resources: readonly ProbedResource[];
  readonly prompts: readonly ProbedPrompt[];
  /** A sentence for each item that a run would not offer, or offers with changes, because the server lists it with a fault. */
  readonly faults?: readonly string[] | undefined;
  /** Says what was left out because there was too much of it. */
  readonly leftOut?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly probedAt: number;
}
