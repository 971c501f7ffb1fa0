import { Equal, Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { VisibleText } from '@/components/ui/visible-text';
import type { CapabilityChange, Weight } from '@/lib/graph/changes/capability-change';

const looks = {
  more: { words: 'It can do more', Icon: Plus, tone: 'text-bad' },
  'same-but-different': { words: 'It does something else', Icon: Equal, tone: 'text-warn' },
  less: { words: 'It can do less', Icon: Minus, tone: 'text-ok' },
} as const satisfies Record<Weight, unknown>;
const weights: readonly Weight[] = ['more', 'same-but-different', 'less'];

/** Says in sentences what a folder can do that it could not, by weight. `withMore` puts something beside a sentence. */
export function CapabilityList<Change extends CapabilityChange>(props: {
  readonly changes: readonly Change[];
  readonly withMore?: (change: Change, sentence: ReactNode) => ReactNode;
}) {
  const { changes, withMore = (_, sentence) => sentence } = props;
  if (changes.length === 0) {
    return <p className="text-muted text-sm">It can do what it could before, no more and no less.</p>;
  }
  return weights.flatMap((weight) => {
    const found = changes.filter((change) => change.weight === weight);
    if (found.length === 0) return [];
    const { words, Icon, tone } = looks[weight];
    return [
      <div key={weight} className="flex flex-col gap-1">
        <h3 className={`font-medium text-sm ${tone}`}>{words}</h3>
        <ul aria-label={words} className="divide-y rounded-lg border bg-surface shadow-card">
          {found.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two sentences may be equal, and the list is never reordered
            <li key={index} className="flex items-start gap-2 px-3 py-1.5 text-sm">
              <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
              <div className="min-w-0 flex-1">{withMore(change, <Sentence {...change} />)}</div>
            </li>
          ))}
        </ul>
      </div>,
    ];
  });
}

function Sentence({ sentence, anchor }: Pick<CapabilityChange, 'sentence' | 'anchor'>) {
  return (
    <p className="break-words text-ink">
      <VisibleText text={sentence} />{' '}
      <span className="text-muted text-xs">
        {anchor.file}:{anchor.line}
        {anchor.side === 'before' && ' before'}
      </span>
    </p>
  );
}
