'use client';

import { useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { changesBetween, textAt } from '@/lib/editor/document';
import { type DiffLine, diffLines } from './line-diff';

/** Shows who saved first and when, what differs, and asks which version to keep. Undo restores the other one. */
export function ConflictDialog() {
  const conflict = useProject((state) => state.conflict);
  const mine = useProject((state) => state.document.folder);
  const actions = useActions();
  const [showing, setShowing] = useState(false);
  if (conflict === undefined) return null;
  const { clashes, taken } = conflict.rebased;
  const differing = showing ? [...changesBetween(conflict.theirs.folder, mine).keys()] : [];
  return (
    <Dialog
      open
      width={showing ? 'lg' : 'md'}
      onOpenChange={actions.dismissConflict}
      title="This project was saved by someone else"
      description={firstSentence(conflict.message)}
      footer={
        <>
          <Button variant="ghost" onClick={() => setShowing(!showing)}>
            {showing ? 'Hide differences' : 'See differences'}
          </Button>
          <Button onClick={actions.takeTheirs}>Take theirs</Button>
          <Button variant="primary" onClick={() => void actions.keepMine()}>
            Keep mine
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <p className="text-muted">
          <span className="font-medium text-ink">Keep mine</span> puts your changes on top of the new version and saves.{' '}
          <span className="font-medium text-ink">Take theirs</span> shows the new version; undo brings yours back.
        </p>
        {clashes.length > 0 ? (
          <FileNames title="Changed by both: keeping yours replaces theirs" files={clashes} />
        ) : (
          <p className="text-muted">You changed different files, so keeping yours loses nothing of theirs.</p>
        )}
        {taken.length > 0 ? <FileNames title="Changed only by them: taken over either way" files={taken} /> : null}
        {differing.map((path) => (
          <FileDiff
            key={path}
            path={path}
            theirs={textAt(conflict.theirs.folder, path) ?? ''}
            mine={textAt(mine, path) ?? ''}
          />
        ))}
      </div>
    </Dialog>
  );
}

/** Returns the first sentence of the message, which says who saved, and when. The rest is advice for users of the API. */
function firstSentence(message: string): string {
  return /^.*?\.(?=\s|$)/s.exec(message)?.[0] ?? message;
}

function FileNames(props: { readonly title: string; readonly files: readonly string[] }) {
  return (
    <div>
      <h3 className="text-xs font-medium text-muted">{props.title}</h3>
      <ul className="font-mono text-xs">
        {props.files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
    </div>
  );
}

const marks: Record<DiffLine['kind'], readonly [sign: string, look: string]> = {
  same: [' ', 'text-muted'],
  added: ['+', 'bg-ok-soft text-ok'],
  removed: ['−', 'bg-bad-soft text-bad'],
  skipped: ['⋯', 'text-faint'],
};

function FileDiff(props: { readonly path: string; readonly theirs: string; readonly mine: string }) {
  return (
    <section aria-label={`Differences in ${props.path}`} className="overflow-hidden rounded border">
      <h3 className="border-b bg-ground px-2 py-1 font-mono text-xs">
        {props.path} <span className="font-sans text-faint">− theirs, + yours</span>
      </h3>
      <pre className="overflow-x-auto py-1 font-mono text-xs leading-5">
        {diffLines(props.theirs, props.mine).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one computed text, never reordered
          <div key={index} className={`px-2 ${marks[line.kind][1]}`}>
            {marks[line.kind][0]} {line.text}
          </div>
        ))}
      </pre>
    </section>
  );
}
