/*
 * Triggers start runs of what is published: at times of a schedule, or when a webhook arrives. docs/triggers.md explains them to users.
 */

export const triggerKinds = ['schedule', 'webhook'] as const;
export type TriggerKind = (typeof triggerKinds)[number];

/** Which revision runs: the one that a label names at that time, or always the same. */
export type TriggerTarget =
  | { readonly label: string; readonly revision?: undefined }
  | { readonly revision: number; readonly label?: undefined };

/** When a schedule is due. */
export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** A name of the IANA time zone database. */
  readonly zone: string;
}

/** What a person sets of a trigger. */
export interface TriggerSettings {
  readonly name: string;
  readonly target: TriggerTarget;
  /** The message of its runs (./trigger-message.ts). */
  readonly message: string;
  /** Set for a schedule alone. */
  readonly schedule?: Schedule | undefined;
  /** So many failures in a row switch it off. */
  readonly stopAfter: number;
}

export const usualStopAfter = 5;
export const mostStopAfter = 100;
export const longestTriggerMessage = 20_000;
/** A project has at most so many triggers. */
export const mostTriggers = 100;
/** The largest body of a webhook. */
export const largestHookBytes = 1024 * 1024;

/** A firing of a trigger as pages and the API show it. Times are epoch milliseconds. */
export interface FiringInfo {
  /** What fired it: a due time, a message of a webhook, or a person. */
  readonly cause: 'due' | 'message' | 'person';
  readonly at: number;
  readonly run?: { readonly id: string; readonly status: string } | undefined;
  /** Why it started no run. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Due times before this one that passed while no worker was there. */
  readonly missed: number;
}

/** A trigger as pages and the API show it. Times are epoch milliseconds. It never has the secret of a webhook. */
export interface TriggerInfo extends TriggerSettings {
  readonly id: string;
  readonly kind: TriggerKind;
  readonly enabled: boolean;
  /** Why Callboard switched it off, if it did. */
  readonly stoppedBecause?: string | undefined;
  /** Failures in a row. */
  readonly failures: number;
  readonly by: string;
  readonly createdAt: number;
  /** The next due times; none for a webhook and while it is switched off. */
  readonly next: readonly number[];
  /** The path that its requests go to. */
  readonly hook?: string | undefined;
  /** The newest first. */
  readonly firings: readonly FiringInfo[];
}
