import type { FailureCode, LogLevel, SandboxCall } from '@/lib/sandbox/host/protocol';
import type { CompiledFile } from './compile';

/** The messages of lib/sandbox/host/protocol.ts, with the project's values as JSON text. */
export type ToThread =
  | { readonly type: 'files'; readonly files: ReadonlyMap<string, CompiledFile> }
  | { readonly type: 'call'; readonly id: number; readonly call: SandboxCall }
  | { readonly type: 'next'; readonly id: number; readonly json: string }
  | { readonly type: 'cancel'; readonly id: number };

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'spent' }
  | { readonly type: 'busy' }
  | { readonly type: 'idle'; readonly received: number }
  | { readonly type: 'done'; readonly id: number; readonly json: string }
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly code: FailureCode;
      readonly message: string;
      readonly stack: string;
    }
  | { readonly type: 'next'; readonly id: number; readonly json: string; readonly bare: boolean }
  | { readonly type: 'log'; readonly id: number; readonly level: LogLevel; readonly text: string };
