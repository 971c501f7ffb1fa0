'use client';

import { CircleSlash, Copy, CopyPlus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useProject, useReadProject } from '@/components/editor-state/project-context';
import { useCopy } from '@/components/editor-state/use-clipboard';
import { useCommands } from '@/components/editor-state/use-commands';
import { useLeaveOut } from '@/components/editor-state/use-leave-out';
import { ModelPicker } from '@/components/marks/model-picker';
import { Button } from '@/components/ui/button';
import type { Json } from '@/lib/base/json';
import type { Card } from '@/lib/cards/card';
import { readDocument } from '@/lib/cards/read/read-field';
import { textAt } from '@/lib/editor/document';
import type { NodeId } from '@/lib/graph/graph';
import type { CardField, ValueField } from './field-kinds';
import { FieldNote } from './field-note';
import { faultOfEdit } from './field-place';
import { shownText, textsIn, typedValue, writtenPath } from './field-values';
import { FoldedGroup, Group } from './group';
import { ReadOnly } from './read-only';
import {
  type SharedField,
  type SharedGroup,
  sharedEdits,
  sharedFields,
  sharedValue,
  type WrittenCard,
} from './shared-fields';
import { ValueInput } from './value-input';

/** Shows what can be done with several selected nodes, and the fields that the agents among them share. */
export function SeveralForm({ selection }: { readonly selection: readonly NodeId[] }) {
  const nodes = useProject((state) => state.picture.nodes);
  const stale = useProject((state) => state.picture.stale);
  const all = useProject((state) => state.picture.drawn.cards);
  const folder = useProject((state) => state.document.folder);
  const files = useMemo(() => filesOf(selection, nodes), [selection, nodes]);
  const cards = useMemo(() => all.filter(({ file }) => files.has(file) && !stale.has(file)), [all, files, stale]);
  const written = useMemo(
    () => cards.map(({ file }) => ({ file, document: readDocument(textAt(folder, file) ?? '', file) })),
    [cards, folder],
  );
  const groups = useMemo(() => sharedFields(cards.map(({ type }) => type)), [cards]);
  const areAgents = cards.length === selection.length;
  return (
    <div>
      <Group title={areAgents ? `${cards.length} agents` : `${selection.length} selected`}>
        <SelectionButtons selection={selection} />
        {cards.length > 1 ? <p className="break-words text-muted text-xs">{namesOf(cards, areAgents)}</p> : null}
      </Group>
      <ReadOnly>
        {cards.length > 1
          ? groups.map((group) => <FieldsOfAll key={group.title} group={group} cards={written} />)
          : null}
      </ReadOnly>
    </div>
  );
}

function filesOf(
  selection: readonly NodeId[],
  nodes: ReadonlyMap<NodeId, { readonly kind: string; readonly file?: string }>,
): ReadonlySet<string> {
  return new Set(
    selection.flatMap((id) => {
      const node = nodes.get(id);
      return node?.kind === 'agent' && node.file !== undefined ? [node.file] : [];
    }),
  );
}

/** Whom a change in this form is for. */
function namesOf(cards: readonly Card[], areAll: boolean): string {
  const shown = cards.slice(0, 12).map(({ name }) => name);
  const more = cards.length - shown.length;
  const names = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return areAll ? `A change is for all of them: ${names}.` : `A change is for the ${cards.length} agents: ${names}.`;
}

function SelectionButtons({ selection }: { readonly selection: readonly NodeId[] }) {
  const commands = useCommands();
  const leaveOut = useLeaveOut(selection);
  const copy = useCopy();
  const mayEdit = useProject((state) => state.mayEdit);
  const mayRun = useAccess().rights.includes('run');
  const duplicate = () => {
    const copied = commands.copy();
    if (copied !== undefined) commands.paste(copied);
  };
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button size="sm" icon={<Copy aria-hidden className="size-3.5" />} onClick={() => void copy()}>
        Copy
      </Button>
      {mayEdit ? (
        <>
          <Button size="sm" icon={<CopyPlus aria-hidden className="size-3.5" />} onClick={duplicate}>
            Duplicate
          </Button>
          <Button
            size="sm"
            icon={<Trash2 aria-hidden className="size-3.5" />}
            onClick={() => commands.remove(selection)}
          >
            Delete {selection.length}
          </Button>
        </>
      ) : null}
      {leaveOut === undefined || !mayRun ? null : (
        <Button size="sm" icon={<CircleSlash aria-hidden className="size-3.5" />} onClick={leaveOut.toggle}>
          {leaveOut.label}
        </Button>
      )}
    </div>
  );
}

interface SharedProps {
  readonly cards: readonly WrittenCard[];
}

function FieldsOfAll({ group, cards }: SharedProps & { readonly group: SharedGroup }) {
  const content = (
    <div className="grid grid-cols-2 gap-3">
      {group.fields.map((field) => (
        <div key={field.path.join('.')} className={`min-w-0 ${field.kind === 'model' ? 'col-span-2' : ''}`}>
          {field.kind === 'model' ? (
            <ModelOfAll field={field} cards={cards} />
          ) : (
            <ValueOfAll field={field} cards={cards} />
          )}
        </div>
      ))}
    </div>
  );
  if (group.title === 'Model') return <Group title={group.title}>{content}</Group>;
  const set = group.fields.filter(({ path }) => {
    const shared = sharedValue(cards, path);
    return shared.is === 'different' || shared.value !== undefined;
  });
  return (
    <FoldedGroup title={group.title} set={set.length}>
      {content}
    </FoldedGroup>
  );
}

/** Returns what writes a value into all cards as one undo step. */
function useWriteAll(field: SharedField, cards: readonly WrittenCard[]) {
  const commands = useCommands();
  const label = `${field.label} of ${cards.length} agents`;
  return (value: Json | undefined, typed: boolean) =>
    commands.editFiles(sharedEdits(cards, field.path, value), { label, typed });
}

function ModelOfAll({ field, cards }: SharedProps & { readonly field: CardField & { readonly kind: 'model' } }) {
  const shared = sharedValue(cards, field.path);
  const write = useWriteAll(field, cards);
  return (
    <FieldNote label={field.label} fault={undefined}>
      {(ids) => (
        <ModelPicker
          {...ids}
          label={field.label}
          value={shared.is === 'same' ? textsIn(shared.value)[0] : different}
          none={field.unset}
          onChange={(model) => write(model, false)}
        />
      )}
    </FieldNote>
  );
}

const different = 'different';

function ValueOfAll({ field, cards }: SharedProps & { readonly field: ValueField }) {
  const read = useReadProject();
  const shared = sharedValue(cards, field.path);
  const write = useWriteAll(field, cards);
  const [fault, setFault] = useState<string>();
  const refuse = (text: string) => {
    const typed = typedValue(field, text);
    if ('fault' in typed) return typed.fault;
    const { folder } = read().document;
    if (typed.value === undefined) return undefined;
    const faults = cards.map(({ file, document }) => {
      return faultOfEdit(folder, file, writtenPath(document, field.path), typed.value);
    });
    return faults.find((one) => one !== undefined);
  };
  const commit = (text: string) => {
    const typed = typedValue(field, text);
    if ('value' in typed) write(typed.value, true);
  };
  return (
    <FieldNote label={field.label} fault={undefined} typing={fault}>
      {(ids) => (
        <ValueInput
          {...{ ids, field, refuse, commit }}
          shown={shared.is === 'same' ? shownText(field, shared.value) : ''}
          mixed={shared.is === 'different' ? different : undefined}
          onFault={setFault}
          onClear={() => write(undefined, false)}
        />
      )}
    </FieldNote>
  );
}
