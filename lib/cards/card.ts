import type { Json, JsonObject } from '@/lib/base/json';

/**
 * A card as parsed (YAML 1.1), before `${VAR}` and `{{placeholder}}` are filled in. The fields have fast-agent's names, in
 * camelCase. A faulty field has its default value, and an Issue.
 */
export type Card =
  | AgentCard
  | ChainCard
  | ParallelCard
  | EvaluatorOptimizerCard
  | RouterCard
  | OrchestratorCard
  | IterativePlannerCard
  | MakerCard
  | A2aCard;

export type CardType = Card['type'];

interface CardBase {
  /** The path of the card in the folder. */
  readonly file: string;
  /** The name is trimmed and has `_` for spaces. By default it is the file name without its extension. */
  readonly name: string;
  /** `undefined` if it is not set, so that fast-agent's default prompt is used. */
  readonly instruction: string | undefined;
  readonly description: string | undefined;
  readonly isDefault: boolean;
  readonly toolOnly: boolean;
  readonly schemaVersion: number;
}

/** Patterns for the tool names of each server, without prefix. No entry allows all; an empty list allows none. */
export type GlobFilter = Readonly<Record<string, readonly string[]>>;

interface ModelFields {
  readonly model: string | undefined;
  readonly useHistory: boolean;
  readonly requestParams: JsonObject;
  readonly apiKey: string | undefined;
  readonly humanInput: boolean;
  readonly saveTrajectory: boolean;
  /** These paths are relative to the card. */
  readonly messages: readonly string[];
}

interface ServerFields {
  readonly servers: readonly string[];
  readonly tools: GlobFilter;
  readonly resources: GlobFilter;
  readonly prompts: GlobFilter;
  /** Tools, by server, that the agent does without: left out of one run (`withoutLeftOut`), or denied in the settings of another program. */
  readonly toolsLeftOut?: Readonly<Record<string, readonly string[]>>;
}

export interface FunctionToolSpec {
  /** The text as written, such as `tools.py:add_one`. */
  readonly entrypoint: string;
  /** The path is relative to the project's folder, not to the card. */
  readonly file: string;
  readonly functionName: string;
  readonly variant: 'code' | undefined;
  readonly codeArg: string | undefined;
  readonly language: string | undefined;
}

export interface CodeRef {
  readonly spec: string;
  readonly file: string;
  readonly functionName: string;
}

export const toolHookPhases = [
  'before_llm_call',
  'after_llm_call',
  'before_tool_call',
  'after_tool_call',
  'after_turn_complete',
] as const;
export type ToolHookPhase = (typeof toolHookPhases)[number];

/** A mapping has fast-agent's phase hooks. A list is a chain of middleware, outermost first. */
export type ToolHooks =
  | { readonly form: 'none' }
  | { readonly form: 'phases'; readonly phases: Readonly<Partial<Record<ToolHookPhase, CodeRef>>> }
  | { readonly form: 'chain'; readonly chain: readonly CodeRef[] };

export interface McpConnectEntry {
  readonly name: string;
  readonly target: string | undefined;
  readonly connectorId: string | undefined;
  readonly description: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken: string | undefined;
}

export interface AgentsAsToolsOptions {
  readonly historySource: 'none' | 'messages' | 'child' | 'orchestrator' | undefined;
  readonly historyMergeTarget: 'none' | 'child' | 'orchestrator' | undefined;
  readonly maxParallel: number | undefined;
  readonly childTimeoutSec: number | undefined;
  readonly maxDisplayInstances: number | undefined;
}

export interface AgentCard extends CardBase, ModelFields, ServerFields, AgentsAsToolsOptions {
  readonly type: 'agent';
  readonly agents: readonly string[];
  readonly functionTools: readonly FunctionToolSpec[];
  readonly toolHooks: ToolHooks;
  readonly lifecycleHooks: Readonly<Partial<Record<'on_start' | 'on_shutdown', CodeRef>>>;
  readonly mcpConnect: readonly McpConnectEntry[];
  /** `undefined` means the default directories, and an empty list no skills. */
  readonly skills: readonly string[] | undefined;
  readonly toolInputSchema: JsonObject | undefined;
  readonly trimToolHistory: boolean;
  readonly shell: boolean;
  readonly cwd: string | undefined;
  readonly subagents: boolean | undefined;
  readonly subagentModel: string | undefined;
  readonly harnessTools: boolean;
  readonly commands: Readonly<Record<string, Json>>;
  readonly variables: Json | undefined;
}

export interface ChainCard extends CardBase {
  readonly type: 'chain';
  readonly sequence: readonly string[];
  readonly cumulative: boolean;
}

export interface ParallelCard extends CardBase {
  readonly type: 'parallel';
  readonly fanOut: readonly string[];
  readonly fanIn: string | undefined;
  readonly includeRequest: boolean;
}

export interface EvaluatorOptimizerCard extends CardBase {
  readonly type: 'evaluator_optimizer';
  readonly generator: string;
  readonly evaluator: string;
  readonly minRating: string;
  readonly maxRefinements: number;
  readonly refinementInstruction: string | undefined;
  readonly messages: readonly string[];
}

export interface RouterCard extends CardBase, ModelFields, ServerFields {
  readonly type: 'router';
  readonly agents: readonly string[];
}

export interface OrchestratorCard extends CardBase, ModelFields {
  readonly type: 'orchestrator';
  readonly agents: readonly string[];
  readonly planType: string;
  readonly planIterations: number;
}

export interface IterativePlannerCard extends CardBase {
  readonly type: 'iterative_planner';
  readonly agents: readonly string[];
  readonly model: string | undefined;
  readonly requestParams: JsonObject;
  readonly apiKey: string | undefined;
  readonly planIterations: number;
  readonly messages: readonly string[];
}

export interface MakerCard extends CardBase {
  readonly type: 'MAKER';
  readonly worker: string;
  readonly k: number;
  readonly maxSamples: number;
  readonly matchStrategy: string;
  readonly redFlagMaxLength: number | undefined;
  readonly messages: readonly string[];
}

export interface A2aCard extends CardBase {
  readonly type: 'a2a';
  readonly url: string;
  /** `undefined` means the first of these that the remote agent offers, JSONRPC before HTTP+JSON. */
  readonly transport: string | undefined;
  readonly streaming: boolean;
  readonly polling: boolean;
  readonly acceptedOutputModes: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: JsonObject | undefined;
  readonly relativeCardPath: string | undefined;
  readonly requestTimeoutSeconds: number;
}
