import { ThumbsUp } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { formatScore, type ScoreMean } from '@/lib/base/score';

/** Shows the mean of the scores of a run in a list. */
export function ScoreBadge({ score }: { readonly score: ScoreMean | undefined }) {
  if (score === undefined) return null;
  const { mean, count } = score;
  return (
    <Badge icon={<ThumbsUp aria-hidden />} title={`Mean of ${count === 1 ? 'one score' : `${count} scores`}`}>
      <span className="sr-only">Score </span>
      {formatScore(mean)}
    </Badge>
  );
}
