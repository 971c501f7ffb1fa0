'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { FileChange } from '@/lib/client/compare-runs';
import { type LineRange, linesAt } from '@/lib/graph/review/follow-lines';
import { CommentBox } from './comment-box';
import type { Commenting } from './review-types';
import { ThreadLinks } from './thread-links';

const MergedTexts = dynamic(async () => (await import('./merged-texts')).MergedTexts, {
  ssr: false,
  loading: () => <p className="px-3 py-2 text-muted text-xs">Loading the two texts</p>,
});

/** Two texts beside each other. The button comments on the lines that are selected in the new one. */
export function SideBySide({ file, threads, refusal, onComment }: Commenting & { readonly file: FileChange }) {
  const [range, setRange] = useState<LineRange>({ from: 1, to: 1 });
  const [about, setAbout] = useState<LineRange>();
  const here = threads.flatMap((thread) =>
    thread.place.kind === 'line' && thread.place.file === file.path ? [{ thread, to: thread.place.to }] : [],
  );
  const { before = '', after = '' } = file;
  return (
    <div className="flex flex-col gap-2 border-t pb-2">
      <MergedTexts
        path={file.path}
        before={before}
        after={after}
        marked={here.map(({ to }) => to).join(' ')}
        onRange={setRange}
        onAsk={() => {
          if (refusal === undefined) setAbout(range);
        }}
      />
      <div className="flex flex-col gap-2 px-3">
        {here.map(({ thread, to }) => (
          <div key={thread.id} className="flex gap-2 text-muted text-xs">
            Line {to}: <ThreadLinks threads={[thread]} />
          </div>
        ))}
        {file.after !== undefined && (
          <Button
            size="sm"
            className="self-start"
            title={refusal}
            disabled={refusal !== undefined}
            onClick={() => setAbout(range)}
          >
            Comment on {rangeWords(range)} of {file.path}
          </Button>
        )}
        {about !== undefined && (
          <CommentBox
            key={rangeWords(about)}
            label={`Comment on ${rangeWords(about)}`}
            lines={linesAt(after, about)}
            onSend={(body, suggestion) => onComment({ kind: 'line', file: file.path, ...about }, body, suggestion)}
            onCancel={() => setAbout(undefined)}
          />
        )}
      </div>
    </div>
  );
}

function rangeWords({ from, to }: LineRange): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}
