import { Pencil, Trash2 } from 'lucide-react';
import { useAccess } from '@/components/access/access-context';
import { Badge } from '@/components/ui/badge';
import { IconButton } from '@/components/ui/icon-button';
import { TimeAgo } from '@/components/ui/time-ago';
import { formatScore, type Score } from '@/lib/base/score';

export interface ScoreListProps {
  readonly label: string;
  readonly scores: readonly Score[];
  readonly me: string;
  readonly onEdit?: (score: Score) => void;
  readonly onRemove?: (score: Score) => void;
}

/** Lists what was said, oldest first: value, author, time, and the note as plain text. */
export function ScoreList({ label, scores, me, onEdit, onRemove }: ScoreListProps) {
  const isAdmin = useAccess().rights.includes('manage');
  return (
    <ul aria-label={label} className="divide-y">
      {scores.map((score) => (
        <li key={score.id} className="flex items-start gap-2 py-2">
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-muted text-xs">
              <Badge tone={score.value === null ? 'neutral' : 'accent'}>
                {score.name}
                {score.value !== null && ` ${formatScore(score.value)}`}
              </Badge>
              <span title={score.author} className="min-w-0 break-words text-ink">
                {score.authorName}
              </span>
              <TimeAgo at={score.updatedAt} />
            </p>
            {score.note !== null && (
              <p className="mt-1 whitespace-pre-wrap break-words text-ink text-sm">{score.note}</p>
            )}
          </div>
          {onEdit !== undefined && score.author === me && (
            <IconButton
              size="sm"
              label={`Edit your ${score.name}`}
              icon={<Pencil aria-hidden />}
              onClick={() => onEdit(score)}
            />
          )}
          {onRemove !== undefined && (score.author === me || isAdmin) && (
            <IconButton
              size="sm"
              label={`Delete ${score.name} of ${score.authorName}`}
              icon={<Trash2 aria-hidden />}
              onClick={() => onRemove(score)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
