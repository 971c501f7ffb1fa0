import type { EventOf } from '@/lib/runtime/record/events';
import { type OtlpAttribute, text } from './otlp-json';

/** The names of the span events of questions to people. The semantic conventions have none. */
export const questionEvents = {
  'person.asked': 'callboard.person_asked',
  'person.answered': 'callboard.person_answered',
} as const;

/** Returns how a question ended, without texts of tools or people. */
export function answerAttributes({ answer }: EventOf<'person.answered'>): OtlpAttribute[] {
  if (answer === undefined) return [];
  return [
    text('callboard.decision', answer.decision),
    text('callboard.answered_by', answer.by),
    text('callboard.answered_via', answer.via),
  ];
}
