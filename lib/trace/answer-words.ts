import type { Decision, ItemEnd, PersonAnswer } from '@/lib/base/pending';

/** `approved`, `denied`, …: what the person did. */
export const decided: Readonly<Record<Decision, string>> = {
  approve: 'approved',
  edit: 'approved with changes',
  deny: 'denied',
  answer: 'answered',
  cancel: 'dismissed',
};

/** Returns who ended a question and how, in one line: `denied by Ann: not today`. */
export function answerLine({
  outcome,
  answer,
}: {
  readonly outcome: ItemEnd['outcome'];
  readonly answer?: Pick<PersonAnswer, 'decision' | 'by' | 'note'>;
}): string {
  if (outcome === 'expired') return 'nobody answered in time';
  if (answer === undefined) return 'withdrawn';
  return `${decided[answer.decision]} by ${answer.by}${answer.note === undefined ? '' : `: ${answer.note}`}`;
}
