import { CircleSlash } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { type LeftOut, withoutWords } from '@/lib/base/left-out';

const mostNames = 3;

/** Shows beside the status of a run what it does without although its files have it. */
export function LeftOutBadge({ leftOut }: { readonly leftOut: readonly LeftOut[] | undefined }) {
  if (leftOut === undefined || leftOut.length === 0) return null;
  const more = leftOut.length - mostNames;
  const words = withoutWords(more > 1 ? leftOut.slice(0, mostNames) : leftOut);
  return (
    <Badge icon={<CircleSlash aria-hidden />} title={`The run is ${withoutWords(leftOut)}`}>
      {more > 1 ? `${words} and ${more} more` : words}
    </Badge>
  );
}
