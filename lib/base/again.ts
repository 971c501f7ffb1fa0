import type { JsonObject } from './json';

/** The ways in which a run is made from another one. */
export const againKinds = ['again', 'from', 'instance'] as const;
export type AgainKind = (typeof againKinds)[number];

/** Whether the new run has the files that the old one had, or the current ones of the project. */
export const againFiles = ['recorded', 'draft'] as const;
export type AgainFiles = (typeof againFiles)[number];

/** Whether a call of a tool is answered with what the old run recorded, or made. */
export type ToolChoice = 'record' | 'live';

/**
 * What a new run takes from an old one (docs/runs.md). `run` is the id of the old run.
 *
 *   - `again`: its message, agent and model.
 *   - `from`: the record of everything before the event number `at`. The rest runs live.
 *   - `instance`: one instance, with the input that was recorded or with other arguments.
 */
export type AgainRequest =
  | { readonly kind: 'again'; readonly run: string; readonly files: AgainFiles }
  | { readonly kind: 'from'; readonly run: string; readonly files: AgainFiles; readonly at: number }
  | {
      readonly kind: 'instance';
      readonly run: string;
      readonly files: AgainFiles;
      readonly path: string;
      /** Replaces the arguments that the instance was called with; without it, its recorded input is used. */
      readonly arguments?: JsonObject | undefined;
      /** By the name that the model sees. A tool that is not listed is called live. */
      readonly tools: Readonly<Record<string, ToolChoice>>;
    };
