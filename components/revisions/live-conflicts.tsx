'use client';

import { useMemo } from 'react';
import type { FileAnswer } from '@/components/merge/conflict-file';
import { ConflictList, FileNames, useFileAnswers } from '@/components/merge/conflict-list';
import type { SideWords } from '@/components/merge/side-words';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { draftWords } from '@/lib/base/release-names';
import { type DraftUpdate, fileGiven, type Resolution } from '@/lib/editor/live-update';

export type FoundConflicts = Extract<DraftUpdate, { state: 'conflicts' }>;

const words: SideWords = {
  ...{ mine: 'Draft', theirs: 'Live', byMine: 'Changed in the draft', byTheirs: 'Changed in live' },
  marks: { mine: 'draft', theirs: 'live' },
};

interface LiveConflictsProps {
  readonly project: string;
  readonly draft: string;
  readonly found: FoundConflicts;
  /** Why the choice could not be saved. */
  readonly fault: string | undefined;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onSave: (resolutions: Readonly<Record<string, Resolution>>) => void;
  /** Compares the draft and live as they are now. */
  readonly onAgain: () => void;
}

/** Asks what to keep of each file that a draft and live changed in one place. */
export function LiveConflicts(props: LiveConflictsProps) {
  const { project, draft, found, fault, busy, onClose } = props;
  const { conflicts, merged, taken, live } = found;
  const answers = useFileAnswers(conflicts.map(({ path }) => path));
  const files = useMemo(
    () =>
      conflicts.map(({ path, base, ours, theirs }) => ({
        path,
        base: fileGiven(base),
        mine: fileGiven(ours),
        theirs: fileGiven(theirs),
      })),
    [conflicts],
  );
  const save = () =>
    props.onSave(Object.fromEntries(conflicts.map(({ path }) => [path, resolutionOf(answers.of(path))])));
  return (
    <Dialog
      open
      width="xl"
      onOpenChange={(open) => !open && onClose()}
      title={`Live changed what the ${draftWords(draft)} changed`}
      description={`Revision ${live} is live. Choose what the draft has of each file.`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          {conflicts.length > 1 && (
            <>
              <Button onClick={() => answers.setAll('theirs')}>All from live</Button>
              <Button onClick={() => answers.setAll('mine')}>All from the draft</Button>
            </>
          )}
          <Button variant="primary" busy={busy} disabled={!answers.areFinished} onClick={save}>
            Save this choice
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {fault !== undefined && (
          <div role="alert" className="flex flex-wrap items-center gap-3">
            <p className="min-w-0 flex-1 basis-64 text-bad">{fault}</p>
            <Button size="sm" onClick={props.onAgain}>
              Compare again
            </Button>
          </div>
        )}
        <ConflictList {...{ project, files, answers, words }} />
        <FileNames title="Changed by both in different places: has both changes either way" files={merged} />
        <FileNames title="Changed only by live: taken over either way" files={taken} />
      </div>
    </Dialog>
  );
}

function resolutionOf({ keep, edited }: FileAnswer): Resolution {
  if (keep === 'mine') return 'ours';
  if (keep === 'theirs') return 'theirs';
  if (edited === undefined) throw new Error('Bug: an edited text was chosen before there was one');
  return { text: edited };
}
