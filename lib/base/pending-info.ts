import type { Json, JsonObject } from './json';
import type { Decision, Grant, GrantScope, PendingKind, PendingQuestion, PendingStatus, PersonAnswer } from './pending';

/** An item as the API lists it. Times are epoch milliseconds. */
export interface PendingInfo {
  readonly id: string;
  readonly kind: PendingKind;
  readonly status: PendingStatus;
  readonly run: string;
  readonly project: string;
  readonly projectName: string;
  /** The instance that asks, such as `lead/writer[2]`. */
  readonly path: string;
  readonly step: string;
  /** The tool of a call, as the model sees it. */
  readonly tool?: string;
  readonly sentence: string;
  readonly askedAt: number;
  /** When nobody's answer is awaited any more. */
  readonly limitAt?: number;
  readonly endedAt?: number;
  readonly answer?: AnswerInfo;
}

/** How an item was answered, without texts of tools. */
export type AnswerInfo = Pick<PersonAnswer, 'decision' | 'note' | 'by' | 'via'>;

export interface PendingPage {
  readonly items: readonly PendingInfo[];
  /** The key of the next page; null on the last one. */
  readonly next: string | null;
  /** How many items of the same run or project are open. */
  readonly open: number;
}

export interface PendingDetail extends PendingInfo {
  readonly question: PendingQuestion;
  /** What the person who asks may answer. Empty for an item that is not open. */
  readonly decisions: readonly Decision[];
  /** Why the person may not answer the open item. */
  readonly refusal?: string;
  /** The whole answer of an item that was answered. */
  readonly given?: PersonAnswer;
}

/** What a person sends. */
export interface AnswerInput {
  readonly decision: Decision;
  /** With `edit`: the arguments that the tool runs with. */
  readonly arguments?: JsonObject | undefined;
  /** With `answer`: what was asked for. */
  readonly content?: Json | undefined;
  readonly note?: string | undefined;
  /** Remembers an approval, so that equal calls are not asked for again. */
  readonly remember?: Remember | undefined;
}

export interface Remember {
  readonly scope: GrantScope;
  /** `equal`: the same arguments. `any`: any arguments. Patterns for members of the arguments, where `*` matches any text. */
  readonly match: 'equal' | 'any' | Readonly<Record<string, string>>;
  /** The approval is forgotten at this time, in epoch milliseconds. */
  readonly expiresAt?: number | undefined;
}

/** One answer of a batch. */
export type AnswerResult =
  | { readonly id: string; readonly ok: true }
  | { readonly id: string; readonly ok: false; readonly code: string; readonly message: string };

export interface GrantInfo extends Grant {
  readonly project: string;
  readonly projectName: string;
  /** The run in which it was given. */
  readonly run: string;
  /** How often it answered in place of a person, and when last (epoch milliseconds). */
  readonly uses: number;
  readonly lastUsedAt?: number;
}
