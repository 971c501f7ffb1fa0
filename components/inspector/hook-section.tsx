'use client';

import { HookList } from '@/components/hooks/hook-list';
import type { Card } from '@/lib/cards/card';
import type { CardField } from './field-kinds';
import { type FieldPlace, useField } from './field-place';
import { Group } from './group';
import { HookDetails } from './hook-details';

/** The fields for hooks of a card: the whole chain, which includes the hooks of `lifecycle_hooks` and of callboard.yaml. */
export function HookFields(props: {
  readonly place: FieldPlace;
  readonly field: CardField & { readonly kind: 'hooks' };
}) {
  const { place, field } = props;
  const { fault } = useField(place, field);
  const note =
    fault === undefined ? null : (
      <p className={`text-xs ${fault.severity === 'error' ? 'text-bad' : 'text-warn'}`}>{fault.message}</p>
    );
  if (field.path[0] !== 'tool_hooks') return note;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Chain card={place.card} />
      {note}
    </div>
  );
}

/** The hooks of a workflow, which are in callboard.yaml only. A remote agent calls no tools here, so it has none. */
export function WorkflowHooks({ card }: { readonly card: Card }) {
  if (card.type === 'agent' || card.type === 'a2a') return null;
  return (
    <Group title="Hooks">
      <Chain card={card} />
    </Group>
  );
}

function Chain({ card }: { readonly card: Card }) {
  return (
    <HookList
      file={card.file}
      agent={card.name}
      details={(entry) => <HookDetails key={entry.id} file={card.file} entry={entry} />}
    />
  );
}
