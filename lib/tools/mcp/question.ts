import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ToolResult } from '@/lib/runtime/record/messages';
import type { CallTimer } from './call-timer';
import type { Session } from './open-session';

/** A request to a server whose answer is the result of a tool. */
export type Question = (session: Session, options: QuestionOptions) => Promise<ToolResult>;

export interface QuestionOptions extends RequestOptions {
  readonly timeout: number;
  /** The time limit of the request, if people can be asked. */
  readonly timer?: CallTimer | undefined;
}
