'use client';

import { useMemo } from 'react';
import { useServerActions, useServers } from '@/components/editor-state/servers-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { PickMany } from '@/components/ui/picker';
import type { PickerAction } from '@/components/ui/picker-rows';
import { agentView } from '@/lib/cards/agent-view';
import { filterChoices, typedPatterns } from '@/lib/editor/filter-choices';
import { filterKinds, offeredBy } from '@/lib/editor/server-listing';
import { below, type CardField } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, useField } from './field-place';
import { textsIn } from './field-values';

type FilterOf = CardField & { readonly kind: 'filter' };

/** Shows one picker for each server of the card, and for servers that have patterns without being used. */
export function FilterField({ place, field }: { readonly place: FieldPlace; readonly field: FilterOf }) {
  const card = agentView(place.card);
  const { value } = useField(place, field);
  const written = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const servers = [...new Set([...card.servers, ...card.mcpConnect.map(({ name }) => name), ...written])];
  if (servers.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {servers.map((server) => (
        <ServerPatterns key={server} place={place} field={field} server={server} />
      ))}
    </div>
  );
}

function ServerPatterns(props: { readonly place: FieldPlace; readonly field: FilterOf; readonly server: string }) {
  const { place, field, server } = props;
  const open = useField(place, below(field.path, { ...field, path: [server] }));
  const known = useServers((state) => (Object.hasOwn(state.known, server) ? state.known[server] : undefined));
  const commands = useCommands();
  const { test } = useServerActions();
  const patterns = open.value === undefined ? undefined : textsIn(open.value);
  const kind = filterKinds.find((one) => one === field.path[0]) ?? 'tools';
  const offered = useMemo(() => known && offeredBy(known.listing, kind), [known, kind]);
  const label = `${field.label} of ${server}`;
  const set = (next: readonly string[] | undefined) => commands.setServerFilter(place.card, server, kind, next);
  const choices = filterChoices(offered, patterns);
  const actions: readonly PickerAction[] = [
    { label: () => (patterns === undefined ? undefined : `All ${kind}`), onSelect: () => set(undefined) },
    { label: () => (patterns?.length === 0 ? undefined : `No ${kind}`), onSelect: () => set([]) },
    {
      label: () => (known === undefined ? `Test ${server}` : undefined),
      note: () => `It then lists its ${kind} here.`,
      onSelect: () => void test(server),
    },
  ];
  return (
    <FieldNote
      label={label}
      hint={offered === undefined ? field.hint : undefined}
      fault={place.faults.get(`${field.path.join('.')}.${server}`)}
    >
      {(ids) => (
        <PickMany
          {...ids}
          label={label}
          values={patterns ?? []}
          options={choices}
          placeholder={patterns === undefined ? `all ${kind}` : `no ${kind}`}
          searchPlaceholder="Search, or type a name or find_*…"
          freeText
          onAdd={(text) => {
            const isChoice = choices.some(({ value }) => value === text);
            set([...new Set([...(patterns ?? []), ...(isChoice ? [text] : typedPatterns(text))])]);
          }}
          onRemove={(pattern) => set((patterns ?? []).filter((one) => one !== pattern))}
          actions={actions}
        />
      )}
    </FieldNote>
  );
}
