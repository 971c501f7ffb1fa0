'use client';

import { useMemo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import type { FileAnswer } from '@/components/merge/conflict-file';
import { ConflictList, FileNames, useFileAnswers } from '@/components/merge/conflict-list';
import type { SideWords } from '@/components/merge/side-words';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { FolderFile } from '@/lib/cards/folder';
import { textFile } from '@/lib/editor/document';
import type { SaveConflict } from '@/lib/editor/project-state';
import { rebase } from '@/lib/editor/rebase';
import type { Choice } from '@/lib/editor/save-actions';
import { saverNames } from '@/lib/editor/taken-over';

const words: SideWords = {
  ...{ mine: 'Mine', theirs: 'Theirs', byMine: 'Changed by me', byTheirs: 'Changed by them' },
  marks: { mine: 'mine', theirs: 'theirs' },
};

/** Shows each file in three versions (mine, as it was, theirs), and takes a choice or an edited text for each. */
export function ConflictQuestion({ conflict }: { readonly conflict: SaveConflict }) {
  const mine = useProject((state) => state.document.folder);
  const project = useProject((state) => state.projectId);
  const actions = useActions();
  const { clashes, taken, merged, sides } = useMemo(
    () => rebase(conflict.base, mine, conflict.theirs.folder),
    [conflict, mine],
  );
  const answers = useFileAnswers(clashes);
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
              <Button onClick={() => answers.setAll('theirs')}>All theirs</Button>
              <Button onClick={() => answers.setAll('mine')}>All mine</Button>
            </>
          ) : null}
          <Button
            variant="primary"
            disabled={!answers.areFinished}
            onClick={() =>
              void actions.resolveConflict(new Map(clashes.map((path) => [path, choiceOf(answers.of(path))])))
            }
          >
            Save this choice
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <ConflictList
          project={project}
          files={clashes.map((path) => ({
            path,
            base: sides.base.get(path),
            mine: sides.mine.get(path),
            theirs: sides.theirs.get(path),
          }))}
          answers={answers}
          words={words}
        />
        <FileNames title="Changed by both in different places: has both changes either way" files={merged} />
        <FileNames title="Changed only by them: taken over either way" files={taken} />
        <p className="text-muted text-xs">Undo brings back the versions that you do not keep, yours and theirs.</p>
      </div>
    </Dialog>
  );
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
