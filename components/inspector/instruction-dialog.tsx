'use client';

import { useMemo, useRef, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Dialog } from '@/components/ui/dialog';
import { estimateTokens } from '@/lib/base/estimate-tokens';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { AgentCard, Card } from '@/lib/cards/card';
import { completeInstruction } from '@/lib/editor/instruction-completion';
import type { InstructionIssue } from '@/lib/editor/instruction-issues';
import { previewInstruction } from '@/lib/runtime/instruction/instruction-preview';
import { InstructionEditor } from './instruction-editor';
import { InstructionIssues } from './instruction-issues';

/** The instruction in the whole width of the window, with the text that the model will read beside it. */
export function InstructionDialog(props: {
  readonly card: Card;
  readonly issues: readonly InstructionIssue[];
  readonly onClose: () => void;
}) {
  const { card, issues, onClose } = props;
  const folder = useProject((state) => state.document.folder);
  const commands = useCommands();
  const actions = useActions();
  const closesList = useRef<() => boolean>(undefined);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Instruction of ${card.name}`}
      width="full"
      keepsOnEscape={() => closesList.current?.() ?? false}
    >
      <div className="flex h-full min-h-0 flex-col gap-3 lg:flex-row">
        <div className="flex min-h-72 min-w-0 flex-1 flex-col gap-2">
          <h3 className="font-medium text-muted text-xs max-lg:hidden">As it is written</h3>
          <div className="min-h-0 flex-1 overflow-hidden rounded border border-line-strong focus-within:border-accent">
            <InstructionEditor
              label={`Instruction of ${card.name}`}
              text={card.instruction ?? ''}
              issues={issues}
              complete={(text, at) => completeInstruction(text, at, card, folder)}
              onChange={(text) => commands.setInstruction(card.file, text, card.name)}
              onUndo={actions.undo}
              onRedo={actions.redo}
              closesList={closesList}
            />
          </div>
          <InstructionIssues issues={issues} />
        </div>
        {card.type === 'agent' ? <Preview card={card} /> : null}
      </div>
    </Dialog>
  );
}

function Preview({ card }: { readonly card: AgentCard }) {
  const folder = useProject((state) => state.document.folder);
  const [now] = useState(() => brandAs<EpochMs>(Date.now()));
  const { text, isDefault, notes } = useMemo(() => previewInstruction(card, folder, { now }), [card, folder, now]);
  return (
    <section aria-label="As the model reads it" className="flex min-h-48 min-w-0 flex-1 flex-col gap-2">
      <div className="flex items-baseline justify-between gap-2 text-xs">
        <h3 className="font-medium text-muted">As the model reads it{isDefault ? ': the default instruction' : ''}</h3>
        <span className="text-faint tabular-nums">~{estimateTokens(text)} tokens (estimate)</span>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto whitespace-pre-wrap break-words rounded border bg-sunken p-3 font-mono text-xs leading-5"
      >
        {text}
      </pre>
      {notes.map((note) => (
        <p key={note} className="break-words text-muted text-xs">
          {note}
        </p>
      ))}
    </section>
  );
}
