import type { HookLine } from './hook-report';
import type { Json, JsonObject } from './json';

/** A call of one tool of an agent, without a model and without hooks. The tool really runs. */
export interface ToolTry {
  /** The agent that has the tool. Its filters and the rules about its calls hold. */
  readonly agent: string;
  /** The name of the tool as the model sees it, such as `time__get_time`. */
  readonly tool: string;
  /** The server of the tool; `undefined` for a function. */
  readonly server?: string | undefined;
  /** Without them the tool is only looked up, and nothing is called. */
  readonly arguments?: JsonObject | undefined;
  /** Calls the tool also with arguments that do not fit its schema. */
  readonly unchecked?: true | undefined;
  /** Whoever asks approves the call, if it needs an approval. */
  readonly approve?: true | undefined;
}

/** What is wrong with an argument of a try. */
export interface ArgumentProblem {
  /** The name of the argument; `undefined` if the fault is in all of them together. */
  readonly field?: string | undefined;
  /** Says what is wrong, such as "must be number". */
  readonly message: string;
}

/** What a tool answered in a try. */
export interface ToolReport {
  readonly agent: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** A result as tools return it: `content`, `isError`, `errorCode`, `structuredContent`. Absent if the tool was only looked up. */
  readonly result?: Json | undefined;
  /** What the tool wrote to the state. It is kept nowhere. */
  readonly state?: JsonObject | undefined;
  /** Milliseconds of the call; 0 if the tool was only looked up. */
  readonly ms: number;
  /** Milliseconds until the tool could be called: its server was started, or its code was loaded. */
  readonly readyMs: number;
  /** What the function printed, or what its server printed and logged. */
  readonly log: readonly HookLine[];
  /** Milliseconds since the Unix epoch. */
  readonly triedAt: number;
}
