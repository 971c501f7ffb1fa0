import { type Score, usualScoreName } from '@/lib/base/score';
import { actionsOf } from './actions-of';
import type { Answers } from './backend';
import type { RecordedRun } from './record-run';

/** Keeps what is said of a run as the server does: one score of a name for each span and person. */
export function scoreServices({ events }: RecordedRun): Answers {
  let scores: readonly Score[] = [];
  const spanOf = (seq: number | undefined) => {
    const opened = events[(seq ?? 0) - 1];
    if (seq === undefined || opened === undefined) return null;
    return { seq, kind: opened.kind.split('.')[0] ?? '', path: 'path' in opened ? (opened.path ?? null) : null };
  };
  return actionsOf<typeof import('@/app/r/[run]/score-actions')>('r/[run]/score-actions', {
    score({ said: { span: seq, name = usualScoreName, value = null, note = null } }) {
      const now = Date.now();
      const span = spanOf(seq);
      const others = scores.filter((one) => one.name !== name || one.span?.seq !== span?.seq);
      const author = { author: 'local', authorName: 'local' };
      scores = [
        ...others,
        { id: `${name} ${seq ?? ''}`, span, name, value, note, ...author, createdAt: now, updatedAt: now },
      ];
      return scores;
    },
    unscore({ score }) {
      scores = scores.filter(({ id }) => id !== score);
      return scores;
    },
  });
}
