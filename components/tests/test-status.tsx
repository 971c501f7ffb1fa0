import { CircleCheck, CircleDashed, CircleX, LoaderCircle, TriangleAlert } from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import type { StoredFixtureResult } from '@/lib/base/fixture-result';

type Word = StoredFixtureResult['status'] | 'none';

const looks: Readonly<Record<Word, { readonly word: string; readonly tone: Tone; readonly icon: typeof CircleX }>> = {
  passed: { word: 'Passed', tone: 'ok', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'bad', icon: CircleX },
  broken: { word: 'Could not run', tone: 'warn', icon: TriangleAlert },
  running: { word: 'Running', tone: 'busy', icon: LoaderCircle },
  none: { word: 'Not run', tone: 'neutral', icon: CircleDashed },
};

/** How a test ended, with icon and word. */
export function TestStatus({ status }: { readonly status: Word }) {
  const { word, tone, icon: Icon } = looks[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden className={status === 'running' ? 'animate-spin' : ''} />}>
      {word}
    </Badge>
  );
}
