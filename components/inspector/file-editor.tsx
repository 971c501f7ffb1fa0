'use client';

import { FileText } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { CodeEditor } from '@/components/code-editor/code-editor';
import { usePresence, usePresenceActions } from '@/components/editor-state/presence-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { Issue } from '@/lib/base/issue';
import type { FolderFile } from '@/lib/cards/folder';
import { movesBetween } from '@/lib/editor/moved-files';
import { lockOn, nameOf } from '@/lib/editor/presence';
import { problemWords, worstProblem } from '@/lib/editor/problem-groups';
import { fileKey } from '@/lib/editor/soft-locks';
import { BinaryFile } from './binary-file';
import { useCodeAssist } from './use-code-assist';

const inks = { error: 'text-bad', warning: 'text-warn', info: 'text-busy' } as const;

/** Shows the open file: text to edit, or a picture. Typing here redraws the canvas. `actions` are buttons at the end of its head. */
export function FileEditor(props: { readonly before?: ReactNode; readonly actions?: ReactNode }) {
  const file = useProject((state) => state.openFile);
  const content = useProject((state) => (file === undefined ? undefined : state.document.folder.get(file)));
  const stale = useProject((state) => file !== undefined && state.picture.stale.has(file));
  const issues = useProject((state) => state.picture.parsed.issues);
  const own = useMemo(() => issues.filter((issue) => issue.file === file), [issues, file]);
  const shown = file !== undefined && content !== undefined;
  const key = useTextKey(file, content);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-8 shrink-0 items-center gap-2 border-b bg-ground pr-1 pl-3 text-xs text-muted">
        {props.before}
        <span className="min-w-0 flex-1 truncate font-mono" title={file}>
          {file ?? 'No file'}
        </span>
        {stale ? (
          <span className="shrink-0 text-warn" title="The canvas shows the last text that could be read.">
            canvas not updated
          </span>
        ) : null}
        {shown ? <Problems file={file} issues={own} /> : null}
        {props.actions}
      </div>
      {!shown ? (
        <EmptyState icon={<FileText aria-hidden />} title="No file open">
          Select an agent to see its card, or open a file under Files.
        </EmptyState>
      ) : content.kind === 'text' ? (
        <div className="min-h-0 flex-1">
          <OpenText key={key} file={file} text={content.text} issues={own} />
        </div>
      ) : content.kind === 'stored' ? (
        <div className="min-h-0 flex-1">
          <BinaryFile key={file} path={file} file={content} />
        </div>
      ) : null}
    </div>
  );
}

/**
 * Returns a key that stays when the open file gets another name, so that its text keeps the cursor. It is another one when another file
 * is opened.
 */
function useTextKey(file: string | undefined, content: FolderFile | undefined): number {
  const [open, setOpen] = useState({ file, key: 0 });
  const isThere = useProject(({ document }) => open.file !== undefined && document.folder.has(open.file));
  const last = useRef(content);
  useEffect(() => {
    last.current = content;
  }, [content]);
  if (open.file === file) return open.key;
  const isRenamed = !isThere && endOf(open.file) === endOf(file) && isAlike(last.current, content);
  const key = isRenamed ? open.key : open.key + 1;
  setOpen({ file, key });
  return key;
}

/** The ending of a file, which chooses its language. */
function endOf(file: string | undefined): string | undefined {
  return file?.slice(file.lastIndexOf('.'));
}

function isAlike(a: FolderFile | undefined, b: FolderFile | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return movesBetween(new Map([['a', a]]), new Map([['b', b]])).size > 0;
}

const noFixes = () => [];

function OpenText({
  file,
  text,
  issues,
}: {
  readonly file: string;
  readonly text: string;
  readonly issues: readonly Issue[];
}) {
  const goTo = useProject((state) => (state.goTo?.file === file ? state.goTo : undefined));
  const actions = useActions();
  const mayEdit = useProject((state) => state.mayEdit);
  const assist = useCodeAssist(file);
  const key = fileKey(file);
  const holder = usePresence((state) => lockOn(state, key));
  const isEdited = usePresence(({ editing }) => editing === key);
  const presence = usePresenceActions();
  const [hasFocus, setFocus] = useState(false);
  // A text that has the focus is never locked.
  const mayType = mayEdit && (holder === undefined || hasFocus);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that somebody types
    <div
      className="flex h-full min-h-0 flex-col"
      onInput={() => mayEdit && presence.edit(key)}
      onFocus={() => setFocus(true)}
      onBlur={() => {
        setFocus(false);
        if (isEdited) presence.edit(undefined);
      }}
    >
      {holder !== undefined && (
        <p role="status" className="flex shrink-0 items-center gap-2 border-b bg-busy-soft px-3 py-1 text-ink text-xs">
          <span className="min-w-0 flex-1">{nameOf(holder)} is editing this file.</span>
          {mayEdit && (
            <Button size="sm" onClick={() => presence.take(key)}>
              Edit anyway
            </Button>
          )}
        </p>
      )}
      <div className="min-h-0 flex-1">
        <CodeEditor
          file={file}
          text={text}
          issues={issues}
          goTo={goTo}
          assist={assist}
          fixesOf={mayType ? assist.fixesOf : noFixes}
          readOnly={!mayType}
          onChange={(next) => actions.typeText(file, next)}
          onLeaveLine={actions.settleName}
          onUndo={actions.undo}
          onRedo={actions.redo}
        />
      </div>
    </div>
  );
}

/** Counts the problems of the file. It goes to the worst one. */
function Problems({ file, issues }: { readonly file: string; readonly issues: readonly Issue[] }) {
  const actions = useActions();
  const worst = worstProblem(issues);
  if (worst === undefined) return null;
  return (
    <button
      type="button"
      className={`shrink-0 cursor-pointer hover:underline ${inks[worst.severity]}`}
      onClick={() => actions.goTo(file, worst)}
    >
      {problemWords(issues)}
    </button>
  );
}
