import type { JsonObject } from '@/lib/base/json';
import type { CodeRef } from '@/lib/cards/card';
import type { CallControl, SandboxOutcome } from './pooled-sandbox';
import type { CodePlace, CodeUse, SandboxCall } from './protocol';

/** Runs the files of one language for one run. */
export interface CodeHost {
  /**
   * Looks for faults in the text of the file; nothing runs. Returns `undefined` when none is found, but `load` may still
   * find one. Does not throw.
   */
  parse(ref: CodeRef, use: CodeUse): Promise<HostIssue | undefined>;
  /** Reads the signature of a function without calling it. The top level of its file may run. Does not throw. */
  load(ref: CodeRef, use: CodeUse, signal: AbortSignal): Promise<LoadedCode>;
  /** Calls a function or a hook. Does not throw. */
  call(call: SandboxCall, control: CallControl): Promise<SandboxOutcome>;
  close(): void | Promise<void>;
}

export type LoadedCode =
  | {
      readonly ok: true;
      readonly description: string;
      readonly inputSchema: JsonObject;
      /** The parameters' names, as in `Signature.names`. */
      readonly names?: readonly string[];
      problemOf(args: JsonObject): string | undefined;
    }
  | { readonly ok: false; readonly issue: HostIssue };

export interface HostIssue {
  readonly code:
    | 'code-kind'
    | 'code-file-missing'
    | 'code-syntax'
    | 'code-load'
    | 'code-signature'
    | 'python-off'
    | 'python-missing';
  readonly message: string;
  /** Where the fault is. Without it, the fault is reported at the card that names the code. */
  readonly place?: CodePlace;
}
