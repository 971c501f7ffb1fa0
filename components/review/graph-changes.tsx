'use client';

import dynamic from 'next/dynamic';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useMedia } from '@/components/ui/use-media';
import { graphParts } from '@/lib/graph/review/graph-parts';
import { PartList } from './part-list';
import { PartPanel } from './part-panel';
import type { GraphChangesProps } from './review-types';
import { useInView } from './use-in-view';

const ChangesCanvas = dynamic(async () => (await import('./changes-canvas')).ChangesCanvas, { ssr: false });

/** The graph with what is added, removed and changed. It is a drawing, and a list where there is no room. Each part takes comments. */
export function GraphChanges(props: GraphChangesProps) {
  const { drawing, threads } = props;
  const isWide = useMedia('(min-width: 768px)');
  const [asked, setAsked] = useState<'drawing' | 'list'>();
  const [key, setKey] = useState<string>();
  const [box, isSeen] = useInView<HTMLDivElement>();
  const view = asked ?? (isWide === false ? 'list' : 'drawing');
  const chosen = useMemo(() => graphParts(drawing.graph).find((part) => part.key === key), [drawing, key]);
  // A part that a new version no longer has is chosen no more.
  useEffect(() => {
    if (chosen === undefined) setKey(undefined);
  }, [chosen]);
  if (drawing.graph.nodes.length === 0) return <p className="text-muted text-sm">There is no agent.</p>;
  const other = view === 'drawing' ? 'list' : 'drawing';
  return (
    <div ref={box} className="flex flex-col gap-2">
      <div className="flex justify-end">
        <Button size="sm" onClick={() => setAsked(other)}>
          Show as {other}
        </Button>
      </div>
      <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
        {view === 'list' ? (
          <PartList drawing={drawing} threads={threads} onChoose={setKey} />
        ) : (
          <div className="h-80 overflow-hidden rounded-lg border bg-ground md:h-[32rem]">
            {isSeen && <ChangesCanvas drawing={drawing} threads={threads} chosen={key} onChoose={setKey} />}
          </div>
        )}
        {chosen === undefined ? (
          <p className="text-muted text-sm">
            Choose an agent, a hook or a wire to see what changes there and to comment on it.
          </p>
        ) : (
          <PartPanel {...props} chosen={chosen} onChoose={setKey} onClose={() => setKey(undefined)} />
        )}
      </div>
    </div>
  );
}
