'use client';

import { useActions, useProject } from '@/components/editor-state/project-context';
import { type CodeRef, toolHookPhases } from '@/lib/cards/card';
import type { CardField } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, useField } from './field-place';
import { textsIn } from './field-values';
import { addEdit, moveEdit, removeEdit } from './list-edits';
import { NameList } from './name-list';
import { ValueFieldInput } from './value-input';

type Props = { readonly place: FieldPlace; readonly field: CardField & { readonly kind: 'hooks' } };

/** Shows the hooks of an agent: an ordered list for the chain, and one function for each phase of a mapping. */
export function HookFields({ place, field }: Props) {
  const { card } = place;
  const isChain = field.path[0] === 'tool_hooks' && card.type === 'agent' && card.toolHooks.form !== 'phases';
  if (isChain) return <ChainField place={place} field={field} />;
  const phases = field.path[0] === 'tool_hooks' ? toolHookPhases : lifecyclePhases;
  return (
    <div className="flex flex-col gap-3">
      {phases.map((phase) => (
        <ValueFieldInput
          key={phase}
          place={place}
          field={{
            kind: 'text',
            path: [...field.path, phase],
            label: phase.replaceAll('_', ' '),
            placeholder: 'hooks.py:function',
          }}
        />
      ))}
    </div>
  );
}

const lifecyclePhases = ['on_start', 'on_shutdown'];

function ChainField({ place, field }: Props) {
  const { path, value, fault, edit } = useField(place, field);
  const actions = useActions();
  const folder = useProject((state) => state.document.folder);
  const chain: readonly CodeRef[] =
    place.card.type === 'agent' && place.card.toolHooks.form === 'chain' ? place.card.toolHooks.chain : [];
  const names = textsIn(value);
  const fileOf = (spec: string) => chain.find((one) => one.spec === spec)?.file ?? '';
  return (
    <FieldNote label="Hooks that wrap every tool call, the outermost first" fault={fault}>
      {({ id }) => (
        <NameList
          id={id}
          label="Hooks"
          names={names}
          options={names.flatMap((spec) => (folder.has(fileOf(spec)) ? [{ value: spec, label: spec }] : []))}
          noun="function"
          typed={{ placeholder: 'hooks.py:audit' }}
          onAdd={(spec) => edit([addEdit(path, value, spec)])}
          onRemove={(index) => edit([removeEdit(path, value, index, false)])}
          onMove={(from, to) => edit([moveEdit(path, from, to)])}
          onOpen={(spec) => {
            if (folder.has(fileOf(spec))) actions.openFile(fileOf(spec));
          }}
        />
      )}
    </FieldNote>
  );
}
