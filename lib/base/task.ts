import type { HookCase, HookReport } from './hook-report';
import type { KeyReport } from './key-report';
import type { ProbeReport } from './probe-report';

/** A short piece of work for a worker. */
export type TaskRequest = FilesRequest | KeyRequest;

/** What editors ask for. It is about the files of a project. */
export type FilesRequest = ProbeRequest | HooksRequest;

export interface ProbeRequest {
  readonly kind: 'probe';
  readonly server: string;
  /** Set if the server is an entry of `mcp_connect` in the card of this agent, and not one of the config. */
  readonly agent?: string | undefined;
}

export interface HooksRequest extends HookCase {
  readonly kind: 'hooks';
}

/** Tries the key of a model provider: that of a secret of the project or the installation, or one that is not stored. */
export interface KeyRequest {
  readonly kind: 'key';
  /** The variable of the key, such as OPENAI_API_KEY. */
  readonly name: string;
  /** The key, sealed to workers with the id of the task, if it is not stored. */
  readonly sealed?: string | undefined;
}

/** How a task ended. `message` is a sentence that users may see. */
export type TaskAnswer =
  | { readonly ok: true; readonly kind: 'probe'; readonly report: ProbeReport }
  | { readonly ok: true; readonly kind: 'hooks'; readonly report: HookReport }
  | { readonly ok: true; readonly kind: 'key'; readonly report: KeyReport }
  | { readonly ok: false; readonly code: string; readonly message: string };
