'use client';

import { useMemo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import type { Card } from '@/lib/cards/card';
import { CardFieldInput } from './card-field';
import { type CardField, cardFields } from './card-fields';
import { DraftInput, DraftLines } from './draft-input';
import { fieldFaults } from './field-faults';
import { Group } from './group';
import { ModelLine } from './model-line';

/** Shows the form of an agent card. Every field writes into the card's own text, and the form keeps no state. */
export function AgentForm(props: { readonly card: Card }) {
  const { card } = props;
  const commands = useCommands();
  const actions = useActions();
  const stale = useProject((state) => state.picture.stale.has(card.file));
  const faults = useFieldFaults(card);
  if (stale) {
    return (
      <div className="flex flex-col items-start gap-2 p-3 text-sm text-muted">
        <p>
          The text of <span className="font-mono text-ink">{card.file}</span> cannot be read right now, so the canvas
          shows how it was before. Repair the text to continue here.
        </p>
        <Button size="sm" onClick={() => actions.openFile(card.file)}>
          Open the text
        </Button>
      </div>
    );
  }
  return (
    <div>
      <Group title="Card">
        <Field label="Name" hint={<span className="font-mono break-all">{card.file}</span>}>
          {(ids) => (
            <DraftInput
              {...ids}
              late
              className="font-medium"
              value={card.name}
              onCommit={(name) => {
                if (name.trim() !== '') commands.rename(card.name, name, card.file);
              }}
            />
          )}
        </Field>
      </Group>
      {cardFields(card).map((group) => (
        <Group key={group.title} title={group.title}>
          <div className="grid grid-cols-2 gap-3">
            {group.fields.map((field) => (
              <div key={field.path.join('.')} className={isShort(field) ? 'min-w-0' : 'col-span-2 min-w-0'}>
                <CardFieldInput
                  file={card.file}
                  owner={card.name}
                  field={field}
                  issue={faults.get(field.path.join('.'))}
                />
                {field.path[0] === 'model' ? <ModelLine card={card} /> : null}
              </div>
            ))}
          </div>
          {group.title === 'Agent' ? (
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
          ) : null}
        </Group>
      ))}
    </div>
  );
}

/** Returns what the checker says of the fields of a card, by path. */
function useFieldFaults(card: Card): ReadonlyMap<string, string> {
  const issues = useProject((state) => state.picture.parsed.issues);
  const folder = useProject((state) => state.document.folder);
  return useMemo(() => {
    const paths = cardFields(card).flatMap(({ fields }) => fields.map(({ path }) => path));
    return fieldFaults(folder, card.file, paths, issues);
  }, [folder, card, issues]);
}

/** True for fields that are short enough to be side by side. */
function isShort(field: CardField): boolean {
  return field.kind === 'number' || (field.kind === 'choice' && field.path[0] !== 'type');
}
