import type { HookCase, HookReport } from '@/lib/base/hook-report';
import type { KnownServers, ServerNews } from '@/lib/base/known-servers';
import type { LeftOut } from '@/lib/base/left-out';
import type { ProbeReport } from '@/lib/base/probe-report';
import type { ArgumentProblem, ToolReport, ToolTry } from '@/lib/base/tool-report';
import type { AskedPart, PartUses } from '@/lib/base/uses';
import type { StoredFile } from '@/lib/cards/folder';
import type { FileChanges } from './document';
import type { PresenceServices } from './presence';
import type { SavedVersion, SaveOptions, SaveOutcome } from './project-state';
import type { TrustServices } from './trust-session';

export interface RunInput {
  readonly agent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
  /** The run that this one repeats. */
  readonly again?: { readonly kind: 'again'; readonly run: string } | undefined;
  /** The conversation that the run is the next turn of, or `new` to begin one. */
  readonly conversationId?: string | undefined;
  /** What the run does without although the files have it. */
  readonly leftOut?: readonly LeftOut[] | undefined;
}

export type Started =
  | { readonly ok: true; readonly runId: string; readonly conversationId?: string | undefined }
  /** With `notTrusted` a person must first confirm what the folder would start or call. */
  | { readonly ok: false; readonly message: string; readonly notTrusted?: boolean };

/** The file that a save may name, or a sentence that says why the bytes were not stored. */
export type Uploaded =
  | { readonly ok: true; readonly file: StoredFile }
  | { readonly ok: false; readonly message: string };

/** What is known of the servers now. With `again` the same news may be taken later. */
export type Told =
  | { readonly ok: true; readonly known: KnownServers }
  | { readonly ok: false; readonly again: boolean };

/** What a worker found out, or a sentence that says why there is no report. */
export type Reported<T> =
  | { readonly ok: true; readonly report: T }
  /** With `notTrusted` a person must first confirm what the folder would start or call. `code` is that of the refusal. */
  | {
      readonly ok: false;
      readonly message: string;
      readonly notTrusted?: boolean;
      readonly code?: string;
      /** Those of the arguments of a tool. */
      readonly problems?: readonly ArgumentProblem[] | undefined;
    };

/** The files that a worker shall look at: those that are saved, with these changes. */
export interface TaskOptions {
  /** The changes that are not saved yet; none by default. They are not saved by this. */
  readonly changes?: FileChanges;
  /** Its abort stops the work in the worker. The answer is then a sentence. */
  readonly signal?: AbortSignal;
}

/** What the editor asks of the server. The route passes it in. None of these throws. */
export interface EditorServices extends TrustServices {
  save(baseVersion: number, changes: FileChanges, options: SaveOptions): Promise<SaveOutcome>;
  /** Stores the bytes of a file that is not text, so that a save can name them. */
  uploadBytes(bytes: Uint8Array<ArrayBuffer>): Promise<Uploaded>;
  /**
   * Returns the saved version if it differs from `known`. Returns `undefined` when it is the same, or the server does not
   * answer.
   */
  newerThan(known: number): Promise<SavedVersion | undefined>;
  /** Reads where a part is used, as far as it is saved. Resolves to `undefined` if that cannot be read now. */
  readonly readUses?: (part: AskedPart) => Promise<PartUses | undefined>;
  /** Shows this window to others, and others to it. Without it nobody is shown. */
  readonly presence?: PresenceServices;
  startRun(input: RunInput): Promise<Started>;
  /** Asks for a stop. Resolves to `undefined`, or to a sentence that says why the request failed. */
  stopRun(runId: string): Promise<string | undefined>;
  /**
   * Reaches a server in a worker, as a run does, and lists what it offers. Takes up to a minute. With `agent` the server is
   * an entry of `mcp_connect` in the card of that agent.
   */
  probeServer(server: string, options?: TaskOptions & { readonly agent?: string }): Promise<Reported<ProbeReport>>;
  /** Returns what tests by anybody found out about the servers. `undefined` if that cannot be read now. */
  readServers(): Promise<KnownServers | undefined>;
  /** Keeps what was found out about servers, for every person of the project. */
  tellServers(news: readonly ServerNews[]): Promise<Told>;
  /**
   * Runs hooks of an agent on a tool call in a worker, in the sandbox of its runs. No model is asked and the tool does not run.
   * Takes up to a minute.
   */
  runHooks(tried: HookCase, options?: TaskOptions): Promise<Reported<HookReport>>;
  /** Calls one tool of an agent in a worker, or looks it up. The tool really runs; no hooks run. Takes up to a minute. */
  tryTool(tried: ToolTry, options?: TaskOptions): Promise<Reported<ToolReport>>;
}
