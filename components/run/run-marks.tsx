import { Tag, UserRound } from 'lucide-react';
import Link from 'next/link';
import { Badge } from '@/components/ui/badge';
import type { RunMarks } from '@/lib/base/run-marks';
import type { RunClause } from '@/lib/trace/run-filter';

interface Mark {
  readonly clause: RunClause;
  readonly words: string;
  readonly title: string;
}

/** What a caller said of a run, each as a link to the runs of which it was said too. */
export function RunMarkLinks({ marks }: { readonly marks: RunMarks }) {
  return marksIn(marks).map((mark) => {
    const query = queryOfMark(mark.clause);
    return (
      <Link key={query} href={`/runs?${query}`} className="max-w-60 rounded underline-offset-2 hover:underline">
        <MarkBadge mark={mark} />
      </Link>
    );
  });
}

/** Writes a clause as `queryOf` does. The plain operator of these fields is not written. */
export function queryOfMark({ field, value }: Mark['clause']): string {
  return new URLSearchParams({ [field]: value.trim() }).toString();
}

const mostInRow = 3;

/** The first marks of a run in a list. */
export function RunMarkBadges({ marks }: { readonly marks: RunMarks }) {
  const all = marksIn({ user: marks.user, tags: marks.tags });
  const more = all.length - mostInRow;
  return (
    <>
      {all.slice(0, mostInRow).map((mark) => (
        <MarkBadge key={`${mark.clause.field} ${mark.words}`} mark={mark} />
      ))}
      {more > 0 && (
        <Badge
          title={all
            .slice(mostInRow)
            .map(({ title }) => title)
            .join(', ')}
        >
          +{more}
        </Badge>
      )}
    </>
  );
}

function MarkBadge({ mark: { clause, words, title } }: { readonly mark: Mark }) {
  return (
    <Badge icon={clause.field === 'user' ? <UserRound aria-hidden /> : <Tag aria-hidden />} title={title}>
      <span className="truncate">{words}</span>
    </Badge>
  );
}

function marksIn({ user, tags = [], metadata = {} }: RunMarks): readonly Mark[] {
  const mark = (field: 'user' | 'tag' | 'metadata', value: string, title: string): Mark => ({
    clause: { field, operator: 'is', value },
    words: value,
    title,
  });
  return [
    ...(user === undefined ? [] : [mark('user', user, `Runs for the user ${user}`)]),
    ...tags.map((tag) => mark('tag', tag, `Tag ${tag}`)),
    ...Object.entries(metadata).map(([key, value]) => mark('metadata', `${key}=${value}`, `Metadata ${key}: ${value}`)),
  ];
}
