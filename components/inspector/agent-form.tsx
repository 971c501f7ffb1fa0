'use client';

import { FlaskConical } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { settingsName } from '@/lib/cards/file-role';
import { keyToSet } from '@/lib/cards/models/missing-key';
import { fieldOf } from '@/lib/cards/read/read-field';
import { skillsOf } from '@/lib/cards/read/skills';
import { settingsFields } from './agent-fields';
import { CardFieldInput } from './card-field';
import { cardFields } from './card-fields';
import { DraftInput } from './draft-input';
import { type FieldFault, fieldFaults } from './field-faults';
import type { CardField, FieldGroup } from './field-kinds';
import { fieldPaths } from './field-paths';
import { type FieldPlace, useDocument } from './field-place';
import { writtenPath } from './field-values';
import { FoldedGroup, Group } from './group';
import { WorkflowHooks } from './hook-section';
import { InstructionField } from './instruction-field';
import { ModelLine } from './model-line';
import { UsedBy, UsedByEach } from './used-by';

/** Shows the form of an agent card. Every field writes into the card's own text, and the form keeps no state. */
export function AgentForm(props: { readonly card: Card }) {
  const { card } = props;
  const commands = useCommands();
  const actions = useActions();
  const stale = useProject((state) => state.picture.stale.has(card.file));
  const groups = useMemo(
    () => [...cardFields(card.type), ...(card.type === 'agent' ? settingsFields(card.name) : [])],
    [card.type, card.name],
  );
  const documents: Documents = { card: useDocument(card.file), settings: useDocument(settingsName) };
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
      {groups.map((group) => (
        <FieldsGroup key={group.title} group={group} card={card} documents={documents}>
          {group.title === 'Hooks' ? (
            <Button
              size="sm"
              className="self-start"
              icon={<FlaskConical aria-hidden className="size-3.5" />}
              onClick={() => commands.openHookBench(card.name)}
            >
              Try hooks…
            </Button>
          ) : null}
          {group.title === 'Agent' ? <InstructionField card={card} /> : null}
          {group.title === 'Skills' ? <SkillUses card={card} /> : null}
        </FieldsGroup>
      ))}
      <WorkflowHooks card={card} />
      <TryTools card={card} />
      <UsedBy kind="agent" name={card.name} />
    </div>
  );
}

/** Opens the tool bench for an agent that calls tools of servers or functions. */
function TryTools({ card }: { readonly card: Card }) {
  const commands = useCommands();
  const mayEdit = useProject((state) => state.mayEdit);
  const { servers, mcpConnect, functionTools } = agentView(card);
  if (!mayEdit || servers.length + mcpConnect.length + functionTools.length === 0) return null;
  return (
    <Group title="Try its tools">
      <Button
        size="sm"
        className="self-start"
        icon={<FlaskConical aria-hidden className="size-3.5" />}
        onClick={() => commands.openToolBench({ kind: 'agent', agent: card.name })}
      >
        Try a tool…
      </Button>
    </Group>
  );
}

function SkillUses({ card }: { readonly card: Card }) {
  const folder = useProject((state) => state.document.folder);
  if (card.type !== 'agent') return null;
  const { skills } = skillsOf(card, folder);
  return skills.length === 0 ? null : <UsedByEach parts={skills.map(({ name }) => ({ kind: 'skill', name }))} />;
}

interface Documents {
  readonly card: unknown;
  readonly settings: unknown;
}

/** Shows the fields of a group, and what comes after them. */
function FieldsGroup(props: {
  readonly group: FieldGroup;
  readonly card: Card;
  readonly documents: Documents;
  readonly children: ReactNode;
}) {
  const { group, card, documents, children } = props;
  const file = group.in === 'settings' ? settingsName : card.file;
  const document = group.in === 'settings' ? documents.settings : documents.card;
  const faults = useFieldFaults(file, document, group.fields);
  const place: FieldPlace = { file, card, owner: card.name, document, faults };
  const content = (
    <>
      <div className="grid grid-cols-2 gap-3">
        {group.fields.map((field) => (
          <div key={field.path.join('.')} className={`min-w-0 empty:hidden ${isShort(field) ? '' : 'col-span-2'}`}>
            <CardFieldInput place={place} field={field} />
            {field.path[0] === 'model' ? <ModelLine card={card} /> : null}
          </div>
        ))}
      </div>
      {children}
    </>
  );
  if (!group.folded) return <Group title={group.title}>{content}</Group>;
  return (
    <FoldedGroup title={group.title} set={setFields(document, group.fields)} hint={group.hint}>
      {content}
    </FoldedGroup>
  );
}

/** Returns how many of the fields have a value. A field for all parameters counts for nothing, because each has its own. */
function setFields(document: unknown, fields: readonly CardField[]): number {
  return fields.filter(
    ({ kind, path }) => kind !== 'parameters' && fieldOf(document, writtenPath(document, path)) !== undefined,
  ).length;
}

/** Returns what the checker says of the fields of a file, by path. */
function useFieldFaults(
  file: string,
  document: unknown,
  fields: readonly CardField[],
): ReadonlyMap<string, FieldFault> {
  const issues = useProject((state) => state.picture.parsed.issues);
  const folder = useProject((state) => state.document.folder);
  const hasModelLine = useProject((state) => state.installation !== undefined);
  return useMemo(() => {
    // The line below the model says that its key is missing, and has the button.
    const own = hasModelLine ? issues.filter(({ message }) => keyToSet(message) === undefined) : issues;
    return fieldFaults(folder, file, fieldPaths(document, fields), own);
  }, [folder, file, document, fields, issues, hasModelLine]);
}

/** True for fields that are short enough to be side by side. */
function isShort(field: CardField): boolean {
  return (
    field.kind === 'number' ||
    field.kind === 'yes-no' ||
    (field.kind === 'choice' && field.path[0] !== 'type' && field.hint === undefined)
  );
}
