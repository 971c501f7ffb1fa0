import type { Json, JsonObject } from '@/lib/base/json';

/** What the worker and a guest (a QuickJS thread, a Python process) say to each other. Everything is JSON. */

export type GuestCall =
  /** Loads the file and looks the function up. Python answers with a `PythonDescription`, JavaScript with null. */
  | { readonly kind: 'check'; readonly file: string; readonly functionName: string; readonly use: CodeUse }
  | {
      readonly kind: 'tool';
      readonly file: string;
      readonly functionName: string;
      readonly args: JsonObject;
      /** JavaScript: arguments go to parameters of these names; absent: one object with all of them. */
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

export type ToGuest =
  | { readonly type: 'call'; readonly id: number; readonly call: GuestCall }
  /** Answers the `next` of the same id. */
  | { readonly type: 'next'; readonly id: number; readonly result: Json }
  | { readonly type: 'cancel'; readonly id: number };

export type FromGuest =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly id: number; readonly value: Json }
  | { readonly type: 'failed'; readonly id: number; readonly failure: GuestFailure }
  | NextCall
  | { readonly type: 'log'; readonly id: number | undefined; readonly level: LogLevel; readonly text: string }
  /** Is broken and must get no further calls. */
  | { readonly type: 'spent' }
  /** Has begun to compute by itself (a timer). Only guests that are watched for being busy say it. */
  | { readonly type: 'busy' }
  /** Waits; has worked through this many messages. */
  | { readonly type: 'idle'; readonly received: number };

/** `bare`: the tool itself, past the hooks further in. */
export interface NextCall {
  readonly type: 'next';
  readonly id: number;
  readonly args: JsonObject;
  readonly bare: boolean;
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export interface GuestFailure {
  readonly code: FailureCode;
  readonly message: string;
  /** Innermost first, in the project's own files. */
  readonly frames?: readonly CodePlace[];
}

export interface CodePlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly functionName?: string;
}

export type FailureCode =
  /** The code raised, or rejected. */
  | 'raised'
  /** The file cannot be loaded, or has no such function. */
  | 'load'
  /** Arguments do not fit the parameters. */
  | 'arguments'
  /** `next` twice, a result that is no result. */
  | 'contract'
  /** Its time was up. */
  | 'timeout'
  /** A limit other than time was met: memory, output. */
  | 'limit'
  /** The process or thread ended under the call. */
  | 'died'
  /** The run was stopped. */
  | 'stopped';
