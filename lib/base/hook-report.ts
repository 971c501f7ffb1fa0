import type { Json, JsonObject } from './json';

/** One hook of an agent: its place in one of the three lists that make its chain, counted from 0, or its phase. */
export type HookChoice =
  | { readonly origin: 'run' | 'agent settings' | 'card'; readonly index: number }
  | { readonly phase: string };

/** A tool call on which hooks are tried. The tool does not run: `result` is given in its place. No model is asked. */
export interface HookCase {
  /** The agent whose hooks wrap the call. */
  readonly agent: string;
  /** Without it, the whole chain of the agent runs. */
  readonly only?: HookChoice | undefined;
  readonly call: {
    /** The name of the tool as the model sees it, such as `time__get_time`. */
    readonly tool: string;
    readonly source: 'mcp' | 'function' | 'agent' | 'runtime';
    /** Only calls with source `mcp` have one. */
    readonly server?: string | undefined;
    readonly arguments: JsonObject;
  };
  /** What the tool answers: a text, or a result as tools return it (`content`, `isError`, `structuredContent`). */
  readonly result: Json;
  /** The state that hooks may read; empty by default. */
  readonly state?: JsonObject | undefined;
}

/** What one hook did, in the order in which the hooks began. */
export interface HookStep {
  /** The reference of code, such as `hooks.py:audit`, or the kind of a declarative hook. */
  readonly hook: string;
  /** The place in the whole chain, counted from 1. A phase hook has none. */
  readonly place?: number | undefined;
  /** `around` for a hook that wraps the call; otherwise the phase. */
  readonly phase: string;
  /** `passed by`: the hook's `when` does not match the call, so it did not run. `not reached`: an outer hook did not call next. */
  readonly state: 'done' | 'failed' | 'passed by' | 'not reached';
  readonly calledNext: boolean;
  /** The arguments that the hook got, and those that it passed on. `after` is absent if it passed none on. */
  readonly arguments?: { readonly before: Json; readonly after?: Json | undefined } | undefined;
  /** The result that the hook got, and the one that it returned. `before` is absent if it got none. */
  readonly result?: { readonly before?: Json | undefined; readonly after: Json } | undefined;
  /** What a phase hook changed in the messages. */
  readonly changes?: readonly { readonly what: string; readonly before: Json; readonly after: Json }[] | undefined;
  readonly log: readonly HookLine[];
  /** Milliseconds of the hook itself, without the hooks inside it. */
  readonly ms: number;
  readonly error?: string | undefined;
}

export interface HookLine {
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly message: string;
}

export interface HookReport {
  readonly agent: string;
  readonly steps: readonly HookStep[];
  /** The arguments that the tool got. Absent if no hook let the call through. */
  readonly arguments?: JsonObject | undefined;
  /** How often the tool was called; more than once if a hook retries. */
  readonly toolCalls: number;
  /** The result that the model would read. */
  readonly result: Json;
  readonly ms: number;
  /** Milliseconds since the Unix epoch. */
  readonly triedAt: number;
}
