/** The states of a run, as a list of conversations and a list of turns show them. */
export const turnStates = ['queued', 'running', 'suspended', 'completed', 'failed', 'cancelled'] as const;
export type TurnState = (typeof turnStates)[number];

/** A conversation as the API lists it. Times are epoch milliseconds. */
export interface ConversationInfo {
  readonly id: string;
  /** The agent that every turn is a run of. */
  readonly agent: string;
  /** The beginning of the first message, in one line. */
  readonly title: string;
  /** The runs that still exist. */
  readonly runCount: number;
  /** The state of the newest run; null when none exists any more. */
  readonly status: TurnState | null;
  readonly updatedAt: number;
}

export interface ConversationPage {
  readonly conversations: readonly ConversationInfo[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** A file of a message, without its content. */
export interface AttachmentInfo {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
}

/** A message with what came of it: one run of the conversation. */
export interface TurnInfo {
  readonly runId: string;
  readonly message: string;
  readonly attachments: readonly AttachmentInfo[];
  readonly status: TurnState;
  /** The run waits until the one before it has ended. Then its status is `queued`. */
  readonly isInLine?: true;
  readonly answer: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** The message or the answer is longer than here. `GET /api/v1/runs/:id` has all of it. */
  readonly isCut?: true;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** A conversation with its newest turns, or with those before a cursor. */
export interface ConversationDetail extends ConversationInfo {
  /** Oldest first. */
  readonly turns: readonly TurnInfo[];
  /** The cursor of the turns before these; null when there are none. */
  readonly next: string | null;
}

/** A file that comes with a message: its text, or its bytes in base64. */
export interface MessageFile {
  readonly name: string;
  /** For example `image/png`, `application/pdf`, `text/markdown`. */
  readonly mediaType: string;
  readonly text?: string | undefined;
  readonly data?: string | undefined;
}

/** Limits of the files of one message. */
export const mostFiles = 10;
export const mostFileBytes = 10_000_000;
