import type { HookCase, HookReport } from './hook-report';
import type { KeyReport } from './key-report';
import type { ProbeReport } from './probe-report';
import type { ArgumentProblem, ToolReport, ToolTry } from './tool-report';

/** A short piece of work for a worker. */
export type TaskRequest = FilesRequest | KeyRequest | ModelsRequest | SignInCodeRequest | SignOutRequest;

/** What editors ask for. */
export type EditorRequest = ProbeRequest | HooksRequest | ToolRequest;

/** What is about the files of a project. */
export type FilesRequest = EditorRequest | SignInRequest;

export interface ProbeRequest {
  readonly kind: 'probe';
  readonly server: string;
  /** Set if the server is an entry of `mcp_connect` in the card of this agent, and not one of the config. */
  readonly agent?: string | undefined;
}

export interface HooksRequest extends HookCase {
  readonly kind: 'hooks';
}

export interface ToolRequest extends ToolTry {
  readonly kind: 'tool';
}

/** Tries the key of a model provider: that of a secret of the project or the installation, or one that is not stored. */
export interface KeyRequest {
  readonly kind: 'key';
  /** The variable of the key, such as OPENAI_API_KEY. */
  readonly name: string;
  /** The key, sealed to workers with the id of the task, if it is not stored. */
  readonly sealed?: string | undefined;
}

/** Asks an address of one's own for its models. Its answer is that of a `KeyRequest`. */
export interface ModelsRequest {
  readonly kind: 'models';
  /** The section of fast-agent.yaml that would have the address, such as `generic`. */
  readonly section: string;
  readonly address: string;
  /** The key, sealed to workers with the id of the task; `undefined` for a server that needs none. */
  readonly sealed?: string | undefined;
}

/** Begins the sign-in of a person at an MCP server. */
export interface SignInRequest extends Omit<ProbeRequest, 'kind'> {
  readonly kind: 'sign-in';
  /** Where the browser comes back to. */
  readonly redirectUrl: string;
  /** Who signs in. */
  readonly by: string;
}

/** Ends a sign-in with the code that the browser brought, sealed with the id of the task. */
export interface SignInCodeRequest {
  readonly kind: 'sign-in-code';
  readonly attempt: string;
  readonly sealed: string;
}

/** Revokes the tokens of a sign-in that was removed. */
export interface SignOutRequest {
  readonly kind: 'sign-out';
  readonly signIn: string;
  readonly sealed: string;
}

/** How a task ended. `message` is a sentence that users may see. */
export type TaskAnswer =
  | { readonly ok: true; readonly kind: 'probe'; readonly report: ProbeReport }
  | { readonly ok: true; readonly kind: 'hooks'; readonly report: HookReport }
  | { readonly ok: true; readonly kind: 'tool'; readonly report: ToolReport }
  | { readonly ok: true; readonly kind: 'key'; readonly report: KeyReport }
  /** `host` is where the browser goes. */
  | { readonly ok: true; readonly kind: 'sign-in'; readonly attempt: string; readonly host: string }
  /** `host` is that of the server. */
  | { readonly ok: true; readonly kind: 'signed-in'; readonly server: string; readonly host: string }
  | { readonly ok: true; readonly kind: 'signed-out'; readonly isRevoked: boolean }
  /** `problems`: those of the arguments of a tool, which was not called. */
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly problems?: readonly ArgumentProblem[] | undefined;
    };
