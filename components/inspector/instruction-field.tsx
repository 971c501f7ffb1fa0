'use client';

import { Maximize2 } from 'lucide-react';
import { use, useEffect, useMemo, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { NewestState } from '@/components/editor-state/typing-follower';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { FieldLocksContext } from '@/components/ui/field-locks';
import { later } from '@/components/ui/later';
import { estimateTokens } from '@/lib/base/estimate-tokens';
import type { Card } from '@/lib/cards/card';
import { type InstructionIssue, instructionIssues } from '@/lib/editor/instruction-issues';
import { DraftLines } from './draft-input';
import { InstructionIssues } from './instruction-issues';

/** The form works without CodeMirror, which comes with the wide editor. */
const InstructionDialog = later(async () => (await import('./instruction-dialog')).InstructionDialog, null);

/** The instruction of a card, with its size and issues, and a wide editor on demand. */
export function InstructionField({ card }: { readonly card: Card }) {
  const commands = useCommands();
  const issues = useInstructionIssues(card);
  const [isWide, setWide] = useState(false);
  return (
    <div className="flex flex-col gap-1.5">
      <Field label="Instruction">
        {(ids) => (
          <DraftLines
            {...ids}
            rows={card.type === 'agent' ? 8 : 4}
            className="font-mono text-xs leading-5"
            value={card.instruction ?? ''}
            placeholder="What this agent is told"
            onCommit={(text) => commands.setInstruction(card.file, text, card.name)}
          />
        )}
      </Field>
      <div className="flex items-center justify-between gap-2">
        <span className="text-faint text-xs tabular-nums">
          ~{estimateTokens(card.instruction ?? '')} tokens (estimate)
        </span>
        <Button size="sm" icon={<Maximize2 aria-hidden className="size-3.5" />} onClick={() => setWide(true)}>
          Edit wide
        </Button>
      </div>
      <InstructionIssues issues={issues} />
      {isWide ? (
        <NewestState>
          <WideInstruction card={card} onClose={() => setWide(false)} />
        </NewestState>
      ) : null}
    </div>
  );
}

const freeField = { enter: (_: string) => undefined, leave: (_: string) => undefined };

/** The card is read again, because that of the form may be a key behind. */
function WideInstruction({ card, onClose }: { readonly card: Card; readonly onClose: () => void }) {
  const { enter, leave } = use(FieldLocksContext) ?? freeField;
  useEffect(() => {
    enter('Instruction');
    return () => leave('Instruction');
  }, [enter, leave]);
  const newest = useProject(({ picture }) => picture.drawn.cards.find(({ file }) => file === card.file)) ?? card;
  return <InstructionDialog card={newest} issues={useInstructionIssues(newest)} onClose={onClose} />;
}

function useInstructionIssues(card: Card): readonly InstructionIssue[] {
  const folder = useProject((state) => state.document.folder);
  const all = useProject((state) => state.picture.parsed.issues);
  return useMemo(() => instructionIssues(folder, card, all), [folder, card, all]);
}
