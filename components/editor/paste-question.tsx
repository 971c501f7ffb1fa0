'use client';

import { useState } from 'react';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { VisibleText } from '@/components/ui/visible-text';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Pasting } from '@/lib/editor/project-state';
import { plainFiles } from '@/lib/graph/transfer/free-files';
import { type Clash, type ClashAnswer, clashKey } from '@/lib/graph/transfer/merge-slice';
import type { Slice } from '@/lib/graph/transfer/slice-project';

/** Asks about pasted servers and files that are others in this project. */
export function PasteQuestion({ pasting: { pasted, clashes, name } }: { readonly pasting: Pasting }) {
  const commands = useCommands();
  const [answers, setAnswers] = useState<ReadonlyMap<string, ClashAnswer>>(new Map());
  const cancel = () => commands.finishPaste(undefined);
  return (
    <Dialog
      open
      width="md"
      onOpenChange={cancel}
      title={name === undefined ? 'Some names mean something else here' : 'Add to this project?'}
      description={
        name === undefined ? (
          'What you paste brings servers or files that this project has with different content.'
        ) : (
          <>
            <span className="break-all font-medium text-ink">
              <VisibleText text={name} />
            </span>{' '}
            brings {contentOf(pasted.slice)}. What is here stays as it is.
          </>
        )
      }
      footer={
        <>
          <Button variant="ghost" onClick={cancel}>
            Cancel
          </Button>
          <Button variant="primary" onClick={() => commands.finishPaste(answers)}>
            {name === undefined ? 'Paste' : 'Add'}
          </Button>
        </>
      }
    >
      {name === undefined ? null : <AgentNames slice={pasted.slice} />}
      {name === undefined || clashes.length === 0 ? null : (
        <p className="mb-2 text-muted text-sm">These are in this project too, with different content:</p>
      )}
      <ul className={clashes.length === 0 ? 'hidden' : 'flex flex-col divide-y rounded border text-sm'}>
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
      <p className="mt-3 text-muted text-xs">One undo takes back all of it.</p>
    </Dialog>
  );
}

const shownAgents = 12;

/** Lists the agents that would be added. */
function AgentNames({ slice }: { readonly slice: Slice }) {
  const { cards } = readFolder(slice.folder);
  const agents = cards.toSorted((a, b) => inOrder.compare(a.name, b.name));
  return (
    <ul aria-label="Agents" className="mb-3 flex flex-wrap gap-1.5 text-sm">
      {agents.slice(0, shownAgents).map(({ file, name }) => (
        <li key={file} className="max-w-full truncate rounded border bg-ground px-2 py-0.5 text-ink">
          <VisibleText text={name} />
        </li>
      ))}
      {agents.length > shownAgents ? (
        <li className="px-1 py-0.5 text-muted">and {agents.length - shownAgents} more</li>
      ) : null}
    </ul>
  );
}

/** Sorts `agent-2` before `agent-10`. */
const inOrder = new Intl.Collator('en', { numeric: true });

function contentOf({ folder }: Slice): string {
  const { cards, config } = readFolder(folder);
  const parts = [
    [cards.length, 'agent'],
    [Object.keys(config.servers).length, 'server'],
    [[...folder.keys()].filter(plainFiles(folder)).length, 'other file'],
  ] as const;
  const said = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`]));
  return said.length < 2 ? said.join('') : `${said.slice(0, -1).join(', ')} and ${said.at(-1)}`;
}

const choices: readonly (readonly [ClashAnswer, string])[] = [
  ['both', 'Keep both: what comes gets a new name'],
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
