'use client';

import { useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { isScoreName, mostScoreNote, type Score, scoreNameRule, usualScoreName } from '@/lib/base/score';
import { ScoreList } from './score-list';
import type { RunScores } from './scores-context';

export interface ScoreDialogProps {
  readonly scores: RunScores;
  readonly about: readonly Score[];
  readonly span: number | undefined;
  readonly mayScore: boolean;
  readonly onClose: () => void;
}

interface Draft {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

const draftOf = (score: Score | undefined): Draft => ({
  name: score?.name ?? usualScoreName,
  value: score?.value === null || score === undefined ? '' : String(score.value),
  note: score?.note ?? '',
});

/** Shows what was said of a run or a span, and takes what the reader says: a value, a note, or both, under a name. */
export function ScoreDialog({ scores, about, span, mayScore, onClose }: ScoreDialogProps) {
  const own = (name: string) => about.find((score) => score.author === scores.me && score.name === name);
  const [draft, setDraft] = useState(() => draftOf(own(usualScoreName)));
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const note = useRef<HTMLTextAreaElement>(null);
  const attempt = async (work: () => Promise<string | undefined>) => {
    setBusy(true);
    setFault(await work());
    setBusy(false);
  };
  const problem = problemOf(draft);
  const save = () =>
    attempt(async () => {
      const text = draft.note.trim();
      const value = draft.value.trim() === '' ? null : Number(draft.value);
      const failed = await scores.give({ span, name: draft.name.trim(), value, note: text === '' ? null : text });
      if (failed === undefined) onClose();
      return failed;
    });
  const edit = (score: Score) => {
    setDraft(draftOf(score));
    note.current?.focus();
  };
  const title = span === undefined ? 'Scores of the run' : 'Scores of the selection';
  const buttons = (
    <>
      <Button onClick={onClose}>{mayScore ? 'Cancel' : 'Close'}</Button>
      {mayScore && (
        <Button variant="primary" busy={isBusy} disabled={problem !== undefined} onClick={() => void save()}>
          Save
        </Button>
      )}
    </>
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} footer={buttons}>
      {mayScore && (
        <ScoreForm {...{ draft, note }} isReplaced={own(draft.name.trim()) !== undefined} onDraft={setDraft} />
      )}
      {fault !== undefined && (
        <p role="alert" className="mt-3 text-bad text-sm">
          {fault}
        </p>
      )}
      {about.length > 0 && (
        <div className="mt-4 border-t">
          <ScoreList
            label="Scores so far"
            scores={about}
            me={scores.me}
            {...(mayScore && { onEdit: edit, onRemove: ({ id }) => void attempt(() => scores.remove(id)) })}
          />
        </div>
      )}
    </Dialog>
  );
}

/** Returns why a draft cannot be saved. */
function problemOf({ name, value, note }: Draft): string | undefined {
  return (
    nameProblem(name) ??
    valueProblem(value) ??
    (value.trim() + note.trim() === '' ? 'Give a value or a note.' : undefined)
  );
}

function nameProblem(name: string): string | undefined {
  return isScoreName(name.trim()) ? undefined : scoreNameRule;
}

function valueProblem(value: string): string | undefined {
  const number = value.trim() === '' ? 0 : Number(value);
  return number >= 0 && number <= 1 ? undefined : 'A number from 0 to 1.';
}

interface ScoreFormProps {
  readonly draft: Draft;
  /** The author has said something under this name already. */
  readonly isReplaced: boolean;
  readonly note: React.RefObject<HTMLTextAreaElement | null>;
  readonly onDraft: (draft: Draft) => void;
}

function ScoreForm({ draft, isReplaced, note, onDraft }: ScoreFormProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3">
        <Field label="Value" hint="From 0, bad, to 1, good" error={valueProblem(draft.value)}>
          {(ids) => (
            <Input
              {...ids}
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              placeholder="None"
              value={draft.value}
              onChange={(event) => onDraft({ ...draft, value: event.currentTarget.value.replace(',', '.') })}
            />
          )}
        </Field>
        <Field
          label="Name"
          hint={isReplaced ? 'Replaces your earlier score' : 'What is judged'}
          error={nameProblem(draft.name)}
        >
          {(ids) => (
            <Input
              {...ids}
              autoComplete="off"
              spellCheck={false}
              maxLength={40}
              value={draft.name}
              onChange={(event) => onDraft({ ...draft, name: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Note">
        {(ids) => (
          <Textarea
            {...ids}
            ref={note}
            rows={4}
            maxLength={mostScoreNote}
            value={draft.note}
            onChange={(event) => onDraft({ ...draft, note: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
}
