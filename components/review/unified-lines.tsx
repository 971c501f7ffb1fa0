'use client';

import { MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { LineText } from '@/components/ui/line-text';
import type { FileChange } from '@/lib/client/compare-runs';
import { CommentBox } from './comment-box';
import type { NumberedLine } from './numbered-diff';
import type { Commenting } from './review-types';
import { ThreadLinks } from './thread-links';

type Rows = Commenting & { readonly file: FileChange };

/** The lines of a file, old and new in one column. A line of the new text takes comments. */
export function UnifiedLines({ file, lines, ...rows }: Rows & { readonly lines: readonly NumberedLine[] }) {
  return (
    <ol aria-label={`Lines of ${file.path}`} className="border-t bg-sunken py-1 font-mono text-xs leading-5">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one computed text, never reordered
        <Line key={index} file={file} line={line} {...rows} />
      ))}
    </ol>
  );
}

const looks: Readonly<Record<NumberedLine['kind'], readonly [sign: string, look: string]>> = {
  same: [' ', 'text-muted'],
  added: ['+', 'bg-ok-soft text-ok'],
  removed: ['−', 'bg-bad-soft text-bad'],
  skipped: ['⋯', 'text-faint'],
};

function Line({ file, line, threads, refusal, onComment }: Rows & { readonly line: NumberedLine }) {
  const [isOpen, setOpen] = useState(false);
  const { number, text, kind } = line;
  const [sign, look] = looks[kind];
  const here = threads.filter(
    ({ place }) => number !== undefined && place.kind === 'line' && place.file === file.path && place.to === number,
  );
  const about = `line ${number}`;
  return (
    <li>
      <div className={classNames('flex items-start gap-1 px-2', look)}>
        {number !== undefined && refusal === undefined ? (
          <button
            type="button"
            aria-label={`Comment on ${about} of ${file.path}`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex w-12 shrink-0 cursor-pointer items-center justify-end gap-1 rounded-sm text-muted tabular-nums hover:text-accent"
          >
            <MessageSquarePlus aria-hidden className="size-3" />
            {number}
          </button>
        ) : (
          <span className="w-12 shrink-0 text-right tabular-nums">{number}</span>
        )}
        <span aria-hidden className="shrink-0 whitespace-pre">
          {sign}
        </span>
        <span className="min-w-0 whitespace-pre-wrap break-words">
          <LineText line={line} />
        </span>
      </div>
      {(here.length > 0 || isOpen) && (
        <div className="flex flex-col gap-2 border-y bg-surface px-3 py-2 font-sans">
          <ThreadLinks threads={here} />
          {isOpen && number !== undefined && (
            <CommentBox
              label={`Comment on ${about}`}
              lines={text}
              onSend={(body, suggestion) =>
                onComment({ kind: 'line', file: file.path, from: number, to: number }, body, suggestion)
              }
              onCancel={() => setOpen(false)}
            />
          )}
        </div>
      )}
    </li>
  );
}
