'use client';

import { useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { VisibleText } from '@/components/ui/visible-text';
import type { Pasting } from '@/lib/editor/project-state';
import { type Clash, type ClashAnswer, clashKey } from '@/lib/graph/transfer/merge-slice';

/** Asks about pasted servers and files that are others in this project. */
export function PasteDialog() {
  const pasting = useProject((state) => state.pasting);
  return pasting === undefined ? null : <PasteQuestion pasting={pasting} />;
}

function PasteQuestion({ pasting: { clashes } }: { readonly pasting: Pasting }) {
  const commands = useCommands();
  const [answers, setAnswers] = useState<ReadonlyMap<string, ClashAnswer>>(new Map());
  const cancel = () => commands.finishPaste(undefined);
  return (
    <Dialog
      open
      width="md"
      onOpenChange={cancel}
      title="Some names mean something else here"
      description="What you paste brings servers or files that this project has with another content."
      footer={
        <>
          <Button variant="ghost" onClick={cancel}>
            Cancel
          </Button>
          <Button variant="primary" onClick={() => commands.finishPaste(answers)}>
            Paste
          </Button>
        </>
      }
    >
      <ul className="flex flex-col divide-y rounded border text-sm">
        {clashes.map((clash) => (
          <li key={clashKey(clash)}>
            <ClashRow
              clash={clash}
              answer={answers.get(clashKey(clash)) ?? 'both'}
              onAnswer={(answer) => setAnswers(new Map([...answers, [clashKey(clash), answer]]))}
            />
          </li>
        ))}
      </ul>
      <p className="mt-3 text-muted text-xs">One undo takes back all that is pasted.</p>
    </Dialog>
  );
}

const choices: readonly (readonly [ClashAnswer, string])[] = [
  ['both', 'Keep both: what is pasted gets a new name'],
  ['here', 'Use the one of this project'],
];

function ClashRow(props: {
  readonly clash: Clash;
  readonly answer: ClashAnswer;
  readonly onAnswer: (answer: ClashAnswer) => void;
}) {
  const { kind, name } = props.clash;
  return (
    <fieldset className="flex flex-col gap-1.5 px-3 py-2.5">
      <legend className="float-left mb-1.5 w-full break-all font-medium text-ink">
        {kind === 'server' ? 'Server ' : 'File '}
        <span className="font-mono text-xs">
          <VisibleText text={name} />
        </span>
      </legend>
      {choices.map(([answer, label]) => (
        <label key={answer} className="flex cursor-pointer items-start gap-2 text-ink">
          <input
            type="radio"
            className="mt-1 accent-accent"
            name={clashKey(props.clash)}
            checked={props.answer === answer}
            onChange={() => props.onAnswer(answer)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
