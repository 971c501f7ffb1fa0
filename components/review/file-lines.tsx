'use client';

import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { useMedia } from '@/components/ui/use-media';
import { VisibleText } from '@/components/ui/visible-text';
import { lineStarts } from '@/lib/base/text-lines';
import type { FileChange } from '@/lib/client/compare-runs';
import { numberedDiff } from './numbered-diff';
import type { Commenting } from './review-types';
import { SideBySide } from './side-by-side';
import { UnifiedLines } from './unified-lines';
import { useInView } from './use-in-view';

type View = 'unified' | 'side by side';
type Rows = Commenting & { readonly file: FileChange; readonly view: View };

/** With more files than this, and in files with more lines, people open what they want to read. */
const mostOpenFiles = 20;
const mostOpenLines = 300;

/** The files that change, each with its lines, in one column or in two. Lines of the new text take comments in both. */
export function FileLines({ files, ...rows }: Commenting & { readonly files: readonly FileChange[] }) {
  const isWide = useMedia('(min-width: 768px)');
  const [asked, setAsked] = useState<View>('unified');
  const view = isWide === false ? 'unified' : asked;
  const other = view === 'unified' ? 'side by side' : 'unified';
  return (
    <div className="flex flex-col gap-2">
      {isWide !== false && (
        <Button size="sm" className="self-end" onClick={() => setAsked(other)}>
          Show {other}
        </Button>
      )}
      <ul aria-label="Changed files" className="divide-y overflow-hidden rounded-lg border bg-surface shadow-card">
        {files.map((file) => (
          <File key={file.path} file={file} view={view} isOpenFirst={files.length <= mostOpenFiles} {...rows} />
        ))}
      </ul>
    </div>
  );
}

const reasons = { binary: 'It is no text.', large: 'It is too large to be shown here.' } as const;

function File({ file, isOpenFirst, ...rows }: Rows & { readonly isOpenFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenFirst && linesIn(file) <= mostOpenLines);
  const about = rows.threads.filter(({ place }) => place.kind === 'line' && place.file === file.path).length;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full cursor-pointer items-center gap-1.5 px-3 py-1.5 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight aria-hidden className={classNames('size-3.5 shrink-0 text-faint', isOpen && 'rotate-90')} />
        <span className="min-w-0 flex-1 break-all font-mono text-ink">
          <VisibleText text={file.path} />
        </span>
        <span className="shrink-0 text-muted">
          {about > 0 && `${about === 1 ? 'one thread' : `${about} threads`} · `}
          {file.change}
        </span>
      </button>
      {isOpen &&
        (file.hidden === undefined ? (
          <Lines file={file} {...rows} />
        ) : (
          <p className="px-3 pb-2 text-muted text-xs">{reasons[file.hidden]}</p>
        ))}
    </li>
  );
}

/** In pixels: a line, and the frame around the lines of a file. */
const linePx = 20;
const framePx = 9;

/**
 * Draws the lines once they are nearly in view. Until then a space of their height stands there, because a button that moves under the pointer
 * is not pressed.
 */
function Lines({ view, ...rows }: Rows) {
  const [box, isSeen] = useInView<HTMLDivElement>();
  const { before = '', after = '' } = rows.file;
  const lines = useMemo(() => numberedDiff(before, after), [before, after]);
  return (
    <div ref={box} style={isSeen ? undefined : { minHeight: lines.length * linePx + framePx }}>
      {isSeen && (view === 'unified' ? <UnifiedLines lines={lines} {...rows} /> : <SideBySide {...rows} />)}
    </div>
  );
}

function linesIn({ before = '', after = '' }: FileChange): number {
  return Math.max(lineStarts(before).length, lineStarts(after).length);
}
