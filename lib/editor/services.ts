import type { FileChanges } from './document';
import type { SavedVersion, SaveOutcome } from './project-state';
import type { TrustServices } from './trust-session';

export interface RunInput {
  readonly agent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
}

export type Started =
  | { readonly ok: true; readonly runId: string }
  /** With `notTrusted` a person must first confirm what the folder would start or call. */
  | { readonly ok: false; readonly message: string; readonly notTrusted?: boolean };

/** What the editor asks of the server. The route passes it in. None of these throws. */
export interface EditorServices extends TrustServices {
  save(baseVersion: number, changes: FileChanges): Promise<SaveOutcome>;
  /**
   * Returns the saved version if it differs from `known`. Returns `undefined` when it is the same, or the server does not
   * answer.
   */
  newerThan(known: number): Promise<SavedVersion | undefined>;
  startRun(input: RunInput): Promise<Started>;
  /** Asks for a stop. Resolves to `undefined`, or to a sentence that says why the request failed. */
  stopRun(runId: string): Promise<string | undefined>;
}
