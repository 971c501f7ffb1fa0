'use client';

import { useMemo, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { FolderFile } from '@/lib/cards/folder';
import { textFile } from '@/lib/editor/document';
import { hasClashMarks } from '@/lib/editor/merge-lines';
import type { SaveConflict } from '@/lib/editor/project-state';
import { rebase } from '@/lib/editor/rebase';
import type { Choice } from '@/lib/editor/save-actions';
import { saverNames } from '@/lib/editor/taken-over';
import { ConflictFile, type FileAnswer } from './conflict-file';

/** Differences are shown at first for so many files. The others are shown when they are asked for. */
const openAtFirst = 3;
const keepMine: FileAnswer = { keep: 'mine', edited: undefined };

/** Shows each file in three versions (mine, as it was, theirs), and takes a choice or an edited text for each. */
export function ConflictQuestion({ conflict }: { readonly conflict: SaveConflict }) {
  const mine = useProject((state) => state.document.folder);
  const actions = useActions();
  const [answers, setAnswers] = useState<ReadonlyMap<string, FileAnswer>>(new Map());
  const { clashes, taken, merged, sides } = useMemo(
    () => rebase(conflict.base, mine, conflict.theirs.folder),
    [conflict, mine],
  );
  const answerOf = (path: string) => answers.get(path) ?? keepMine;
  const keepAll = (keep: 'mine' | 'theirs') =>
    setAnswers(new Map(clashes.map((path) => [path, { ...answerOf(path), keep }])));
  const unfinished = clashes.filter((path) => isUnfinished(answerOf(path)));
  const who = saverNames(conflict.theirs.by);
  return (
    <Dialog
      open
      width="xl"
      onOpenChange={actions.dismissConflict}
      title={`${who} changed what you changed`}
      description={`${firstSentence(conflict.message)} Choose what to keep of each file.`}
      footer={
        <>
          <Button variant="ghost" onClick={actions.dismissConflict}>
            Decide later
          </Button>
          {clashes.length > 1 ? (
            <>
              <Button onClick={() => keepAll('theirs')}>All theirs</Button>
              <Button onClick={() => keepAll('mine')}>All mine</Button>
            </>
          ) : null}
          <Button
            variant="primary"
            disabled={unfinished.length > 0}
            onClick={() =>
              void actions.resolveConflict(new Map(clashes.map((path) => [path, choiceOf(answerOf(path))])))
            }
          >
            Save this choice
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {clashes.map((path, index) => (
          <ConflictFile
            key={path}
            path={path}
            base={sides.base.get(path)}
            mine={sides.mine.get(path)}
            theirs={sides.theirs.get(path)}
            answer={answerOf(path)}
            isOpen={index < openAtFirst}
            onAnswer={(answer) => setAnswers(new Map([...answers, [path, answer]]))}
          />
        ))}
        <FileNames title="Changed by both in different places: has both changes either way" files={merged} />
        <FileNames title="Changed only by them: taken over either way" files={taken} />
        <p className="text-muted text-xs">Undo brings back the versions that you do not keep, yours and theirs.</p>
      </div>
    </Dialog>
  );
}

function isUnfinished({ keep, edited }: FileAnswer): boolean {
  return keep === 'edited' && (edited === undefined || hasClashMarks(edited));
}

function choiceOf({ keep, edited }: FileAnswer): Choice {
  return keep === 'edited' ? editedFile(edited) : keep;
}

function editedFile(edited: string | undefined): FolderFile {
  if (edited === undefined) throw new Error('Bug: an edited text was chosen before there was one');
  return textFile(edited);
}

/** Returns the first sentence of the message, which says when it was saved. The rest is advice for users of the API. */
function firstSentence(message: string): string {
  return /^.*?\.(?=\s|$)/s.exec(message)?.[0] ?? message;
}

function FileNames(props: { readonly title: string; readonly files: readonly string[] }) {
  if (props.files.length === 0) return null;
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
