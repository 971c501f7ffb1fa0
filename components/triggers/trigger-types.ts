import type { Schedule, TriggerInfo, TriggerKind, TriggerSettings, TriggerTarget } from '@/lib/base/triggers';

/** What a call resolves to: its value, or a sentence that says why it failed. */
export type Told<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export interface MadeTrigger {
  readonly id: string;
  /** Those of a webhook; shown once. */
  readonly secret?: string;
  readonly hook?: string;
}

/** What the page of triggers asks of the server. */
export interface TriggerServices {
  add(input: TriggerSettings & { readonly kind: TriggerKind }): Promise<Told<MadeTrigger>>;
  change(id: string, edit: Partial<TriggerSettings> & { readonly enabled?: boolean }): Promise<Told<unknown>>;
  remove(id: string): Promise<Told<unknown>>;
  renew(id: string): Promise<Told<{ readonly secret: string }>>;
  runNow(id: string): Promise<Told<{ readonly run: string }>>;
  /** The next due times of a schedule that somebody writes. */
  dueTimes(schedule: Schedule): Promise<Told<readonly number[]>>;
  /** Reads the page again. */
  refresh(): void;
}

/** A trigger, with the moment at which it was read. */
export interface ShownTrigger extends TriggerInfo {
  readonly now: number;
}

/** Writes what a trigger runs. */
export function targetWords({ label, revision }: TriggerTarget): string {
  if (revision !== undefined) return `Revision ${revision}`;
  return label === 'live' ? 'What is live' : `The label ${label}`;
}
