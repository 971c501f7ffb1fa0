'use client';

import { scoresAbout } from '@/lib/base/score';
import { ScoreList } from './score-list';
import { useScores } from './scores-context';

/** What was said of a run, or of a span of it. */
export function ScoreNotes({ span }: { readonly span?: number }) {
  const scores = useScores();
  const about = scores === undefined ? [] : scoresAbout(scores.all, span);
  if (scores === undefined || about.length === 0) return null;
  const title = span === undefined ? 'Scores of the run' : 'Scores of the selection';
  return (
    <section className="min-w-0">
      <h3 className="font-medium text-muted text-xs">{title}</h3>
      <ScoreList label={title} scores={about} me={scores.me} />
    </section>
  );
}
