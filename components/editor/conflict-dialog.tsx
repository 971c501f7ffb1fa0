'use client';

import { useMemo, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { StoredPicture } from '@/components/marks/stored-picture';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { type DiffLine, diffLines } from '@/components/ui/line-diff';
import type { FolderFile } from '@/lib/cards/folder';
import { fileFacts, isPicture } from '@/lib/editor/file-words';
import type { SaveConflict } from '@/lib/editor/project-state';
import { rebase } from '@/lib/editor/rebase';

/** Asks which version of each file to keep that was changed here and elsewhere. */
export function ConflictDialog() {
  const conflict = useProject((state) => state.conflict);
  return conflict?.asking ? <Question conflict={conflict} /> : null;
}

type Side = 'mine' | 'theirs';

function Question({ conflict }: { readonly conflict: SaveConflict }) {
  const mine = useProject((state) => state.document.folder);
  const actions = useActions();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const { clashes, taken } = useMemo(() => rebase(conflict.base, mine, conflict.theirs.folder), [conflict, mine]);
  const choose = (path: string, side: Side) => {
    const next = new Set(theirs);
    if (side === 'theirs') next.add(path);
    else next.delete(path);
    setTheirs(next);
  };
  return (
    <Dialog
      open
      width="lg"
      onOpenChange={actions.dismissConflict}
      title="This project was saved by someone else"
      description={`${firstSentence(conflict.message)} Choose what to keep of each file that both of you changed.`}
      footer={
        <>
          <Button variant="ghost" onClick={actions.dismissConflict}>
            Decide later
          </Button>
          {clashes.length > 1 ? (
            <>
              <Button onClick={() => setTheirs(new Set(clashes))}>All theirs</Button>
              <Button onClick={() => setTheirs(new Set())}>All mine</Button>
            </>
          ) : null}
          <Button variant="primary" onClick={() => void actions.resolveConflict(theirs)}>
            Save this choice
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {clashes.map((path, index) => (
          <FileChoice
            key={path}
            path={path}
            side={theirs.has(path) ? 'theirs' : 'mine'}
            theirs={conflict.theirs.folder.get(path)}
            mine={mine.get(path)}
            isOpen={index < openAtFirst}
            onChoose={(side) => choose(path, side)}
          />
        ))}
        {taken.length > 0 ? <FileNames title="Changed only by them: taken over either way" files={taken} /> : null}
        <p className="text-muted text-xs">Undo brings back what you do not keep of yours.</p>
      </div>
    </Dialog>
  );
}

/** So many differences are shown at first. The others are shown when they are asked for. */
const openAtFirst = 3;

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

function FileChoice(props: {
  readonly path: string;
  readonly side: Side;
  /** `undefined` if there is no such file on that side. */
  readonly theirs: FolderFile | undefined;
  readonly mine: FolderFile | undefined;
  readonly isOpen: boolean;
  readonly onChoose: (side: Side) => void;
}) {
  const { path, mine, theirs } = props;
  const [isOpen, setOpen] = useState(props.isOpen);
  return (
    <section aria-label={`Differences in ${path}`} className="overflow-hidden rounded border">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-ground px-2 py-1.5">
        <h3 className="min-w-0 flex-1 break-all font-mono text-xs">{path}</h3>
        <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide differences' : 'Show differences'}
        </Button>
        <SideChoice path={path} side={props.side} mine={mine} theirs={theirs} onChoose={props.onChoose} />
      </div>
      {!isOpen ? null : mine?.kind === 'stored' || theirs?.kind === 'stored' ? (
        <TwoFiles path={path} mine={mine} theirs={theirs} />
      ) : (
        <Differences mine={textOf(mine)} theirs={textOf(theirs)} />
      )}
    </section>
  );
}

function SideChoice(props: {
  readonly path: string;
  readonly side: Side;
  readonly mine: FolderFile | undefined;
  readonly theirs: FolderFile | undefined;
  readonly onChoose: (side: Side) => void;
}) {
  const options: readonly (readonly [side: Side, label: string])[] = [
    ['mine', props.mine === undefined ? 'Mine (deleted)' : 'Mine'],
    ['theirs', props.theirs === undefined ? 'Theirs (deleted)' : 'Theirs'],
  ];
  return (
    <fieldset className="flex overflow-hidden rounded border border-line-strong">
      <legend className="sr-only">Keep of {props.path}</legend>
      {options.map(([side, label]) => (
        <label
          key={side}
          className="relative cursor-pointer px-2.5 py-1 text-muted text-xs hover:bg-hover has-checked:bg-accent has-checked:font-medium has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:-outline-offset-2"
        >
          <input
            type="radio"
            className="absolute inset-0 cursor-pointer opacity-0"
            name={`keep ${props.path}`}
            checked={props.side === side}
            onChange={() => props.onChoose(side)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function textOf(file: FolderFile | undefined): string {
  return file?.kind === 'text' ? file.text : '';
}

/** Shows both versions of a file that is not text beside each other. */
function TwoFiles(props: Pick<Parameters<typeof SideChoice>[0], 'path' | 'mine' | 'theirs'>) {
  const sides = [
    ['Mine', props.mine],
    ['Theirs', props.theirs],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 p-2 text-xs">
      {sides.map(([side, file]) => (
        <div key={side} className="flex min-w-0 flex-col gap-1.5">
          <dt className="font-medium text-ink">{side}</dt>
          <dd className="text-muted">
            {file === undefined ? 'Deleted' : file.kind === 'stored' ? fileFacts(props.path, file) : 'Text'}
          </dd>
          {file?.kind === 'stored' && isPicture(props.path) ? (
            <dd className="flex h-32 items-start">
              <StoredPicture path={`${props.path} (${side.toLowerCase()})`} file={file} />
            </dd>
          ) : null}
        </div>
      ))}
    </dl>
  );
}

const marks: Record<DiffLine['kind'], readonly [sign: string, look: string]> = {
  same: [' ', 'text-muted'],
  added: ['+', 'bg-ok-soft text-ok'],
  removed: ['−', 'bg-bad-soft text-bad'],
  skipped: ['⋯', 'text-faint'],
};

function Differences(props: { readonly theirs: string; readonly mine: string }) {
  const lines = useMemo(() => diffLines(props.theirs, props.mine), [props.theirs, props.mine]);
  return (
    <>
      <p className="px-2 pt-1 text-faint text-xs">− theirs, + mine</p>
      <pre className="overflow-x-auto py-1 font-mono text-xs leading-5">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one computed text, never reordered
          <div key={index} className={`px-2 ${marks[line.kind][1]}`}>
            {marks[line.kind][0]} {line.text}
          </div>
        ))}
      </pre>
    </>
  );
}
