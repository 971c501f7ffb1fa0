'use client';

import { useProject } from '@/components/editor-state/project-context';
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

/** The hooks that the calls of a wire go through: those of the agent at its beginning. */
export function HooksOfWire({ card }: { readonly card: Card }) {
  const hasHooks = useProject((state) => (state.picture.graph.chains[`agent:${card.name}`]?.length ?? 0) > 0);
  if (!hasHooks) return null;
  return (
    <Group title={`Hooks of ${card.name}`}>
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
