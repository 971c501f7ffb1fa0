import type { Json, JsonObject } from '@/lib/base/json';

/** The messages between the worker and a sandbox (a QuickJS thread or a Python process). Everything is JSON. */

export type SandboxCall =
  /** Loads the file and looks the function up. Python answers with a `PythonDescription`, JavaScript with null. */
  | { readonly kind: 'check'; readonly file: string; readonly functionName: string; readonly use: CodeUse }
  | {
      readonly kind: 'tool';
      readonly file: string;
      readonly functionName: string;
      readonly args: JsonObject;
      /**
       * The parameters of a JavaScript function, which get the arguments by name. Without names, one object gets all
       * arguments.
       */
      readonly names?: readonly string[];
    }
  | {
      readonly kind: 'around';
      readonly file: string;
      readonly functionName: string;
      readonly context: JsonObject;
      readonly args: JsonObject;
    }
  | {
      readonly kind: 'phase';
      readonly file: string;
      readonly functionName: string;
      readonly context: JsonObject;
    };

export type CodeUse = 'tool' | 'middleware' | 'phase';

export type ToSandbox =
  | { readonly type: 'call'; readonly id: number; readonly call: SandboxCall }
  /** Answers the `next` of the same id. */
  | { readonly type: 'next'; readonly id: number; readonly result: Json }
  | { readonly type: 'cancel'; readonly id: number };

export type FromSandbox =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly id: number; readonly value: Json }
  | { readonly type: 'failed'; readonly id: number; readonly failure: SandboxFailure }
  | NextCall
  | { readonly type: 'log'; readonly id: number | undefined; readonly level: LogLevel; readonly text: string }
  /** The sandbox is broken and must get no further calls. */
  | { readonly type: 'spent' }
  /** The sandbox computes without being asked (a timer). Sent only where `busyMs` limits computing. */
  | { readonly type: 'busy' }
  /** The sandbox waits. `received` counts the messages it has processed. */
  | { readonly type: 'idle'; readonly received: number };

/** `bare` calls the tool itself and skips the remaining hooks. */
export interface NextCall {
  readonly type: 'next';
  readonly id: number;
  readonly args: JsonObject;
  readonly bare: boolean;
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export interface SandboxFailure {
  readonly code: FailureCode;
  readonly message: string;
  /** The frames in the project's own files, innermost first. */
  readonly frames?: readonly CodePlace[];
}

export interface CodePlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly functionName?: string;
}

export type FailureCode =
  /** The code raised an exception, or its promise was rejected. */
  | 'raised'
  /** The file cannot be loaded, or has no such function. */
  | 'load'
  /** The arguments do not match the parameters. */
  | 'arguments'
  /** The code broke the rules of hooks: it called `next` twice, or returned an invalid result. */
  | 'contract'
  /** A time limit was exceeded. */
  | 'timeout'
  /** Another limit was exceeded: memory or output. */
  | 'limit'
  /** The process or thread ended during the call. */
  | 'died'
  /** The run was stopped. */
  | 'stopped';
