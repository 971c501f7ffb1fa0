import type { Instance } from '@/lib/runtime/instance/instance';
import type { ContentBlock, Message } from '@/lib/runtime/record/messages';

/** What a workflow was asked, as its first steps get it. */
export interface OwnRequest {
  readonly text: string;
  /** Messages before it. */
  readonly history: readonly Message[];
  readonly attachments: readonly ContentBlock[];
}

/** The text is the recorded one after a crash, because a hook that runs again might produce another. */
export function ownRequest({ run, spec }: Instance): OwnRequest {
  return {
    text: run.journal.inputOf(spec.path) ?? spec.input,
    history: spec.history,
    attachments: spec.attachments,
  };
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export function assistantMessage(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }], toolCalls: [], stopReason: 'end_turn' };
}
