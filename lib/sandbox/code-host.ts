import type { JsonObject } from '@/lib/base/json';
import type { CodeRef } from '@/lib/cards/card';
import type { CallControl, GuestOutcome } from './guest-pool';
import type { CodePlace, CodeUse, GuestCall } from './protocol';

/** Runs the files of one language for one run. */
export interface CodeHost {
  /**
   * What `load` would say by the text of the file alone: nothing runs. Undefined when there is no fault, or when only loading
   * can tell. Does not throw.
   */
  parse(ref: CodeRef, use: CodeUse): Promise<HostIssue | undefined>;
  /** Looks at a function without calling it; its file's top level may run. Does not throw. */
  load(ref: CodeRef, use: CodeUse, signal: AbortSignal): Promise<LoadedCode>;
  /** Does not throw. */
  call(call: GuestCall, control: CallControl): Promise<GuestOutcome>;
  close(): void | Promise<void>;
}

export type LoadedCode =
  | {
      readonly ok: true;
      readonly description: string;
      readonly inputSchema: JsonObject;
      /** See `Signature.names`. */
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
  /** Absent: the card that names the code. */
  readonly place?: CodePlace;
}
