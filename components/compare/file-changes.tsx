'use client';

import { ChevronRight } from 'lucide-react';
import { TextDiff } from '@/components/hook-bench/text-diff';
import { classNames } from '@/components/ui/class-names';
import type { FileChange } from '@/lib/client/compare-runs';

/** Lists files that two folders do not have alike. Each opens to its lines. `sides` are the names of the two. */
export function FileChanges(props: {
  readonly files: readonly FileChange[];
  readonly sides: readonly [string, string];
  readonly open: string | undefined;
  readonly onOpen: (path: string | undefined) => void;
}) {
  const { files, sides, open, onOpen } = props;
  return (
    <ul aria-label="Changed files" className="overflow-hidden rounded border">
      {files.map((file) => (
        <li key={file.path} className="border-t first:border-t-0">
          <File
            file={file}
            sides={sides}
            isOpen={file.path === open}
            onToggle={(isOpen) => onOpen(isOpen ? file.path : undefined)}
          />
        </li>
      ))}
    </ul>
  );
}

const reasons = { binary: 'It is no text.', large: 'It is too large to be shown here.' } as const;

function File(props: {
  readonly file: FileChange;
  readonly sides: readonly [string, string];
  readonly isOpen: boolean;
  readonly onToggle: (open: boolean) => void;
}) {
  const { file, sides, isOpen, onToggle } = props;
  const { path, change, before, after, hidden } = file;
  const [a, b] = sides;
  const words = { added: `only in ${b}`, removed: `only in ${a}`, changed: 'changed' };
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onToggle(!isOpen)}
        className="flex w-full cursor-pointer items-center gap-1.5 px-2 py-1 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight aria-hidden className={classNames('size-3.5 shrink-0 text-faint', isOpen && 'rotate-90')} />
        <span className="min-w-0 flex-1 break-all font-mono text-ink">{path}</span>
        <span className="shrink-0 text-muted">{words[change]}</span>
      </button>
      {isOpen && (
        <div className="px-2 pb-2">
          {hidden === undefined ? (
            <TextDiff label={`− ${a}, + ${b}`} before={before ?? ''} after={after ?? ''} />
          ) : (
            <p className="text-muted text-xs">{reasons[hidden]}</p>
          )}
        </div>
      )}
    </>
  );
}
