import type { RunEvent } from '@/lib/runtime/record/events';
import { type OtlpAttribute, text } from './otlp-json';

/** The names of the span events of questions to people. The semantic conventions have none. */
export const questionEvents = {
  'person.asked': 'callboard.person_asked',
  'person.answered': 'callboard.person_answered',
} as const;

/** Returns which question it is and how it ended, without texts of tools or people. */
export function questionAttributes(event: Extract<RunEvent, { kind: keyof typeof questionEvents }>): OtlpAttribute[] {
  const item = text('callboard.item', event.item);
  if (event.kind === 'person.asked') return [item, text('callboard.question', event.what)];
  const { outcome, answer } = event;
  const how = answer && [text('callboard.decision', answer.decision), text('callboard.answered_by', answer.by)];
  return [item, text('callboard.outcome', outcome), ...(how ?? [])];
}
