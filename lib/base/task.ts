import type { HookCase, HookReport } from './hook-report';
import type { ProbeReport } from './probe-report';

/** A short piece of work that an editor asks a worker for. */
export type TaskRequest = ProbeRequest | HooksRequest;

export interface ProbeRequest {
  readonly kind: 'probe';
  readonly server: string;
  /** Set if the server is an entry of `mcp_connect` in the card of this agent, and not one of the config. */
  readonly agent?: string | undefined;
}

export interface HooksRequest extends HookCase {
  readonly kind: 'hooks';
}

/** How a task ended. `message` is a sentence that users may see. */
export type TaskAnswer =
  | { readonly ok: true; readonly kind: 'probe'; readonly report: ProbeReport }
  | { readonly ok: true; readonly kind: 'hooks'; readonly report: HookReport }
  | { readonly ok: false; readonly code: string; readonly message: string };
