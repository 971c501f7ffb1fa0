'use client';

import { agentView } from '@/lib/cards/agent-view';
import { DraftInput } from './draft-input';
import { below, type CardField } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, useField } from './field-place';
import { parsePatterns, printPatterns, textsIn } from './field-values';

type FilterOf = CardField & { readonly kind: 'filter' };

/** Shows one line of patterns for each server of the card, and for servers that have patterns without being used. */
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
  const list = open.value === undefined ? undefined : textsIn(open.value);
  const fault = place.faults.get(`${field.path.join('.')}.${server}`);
  return (
    <FieldNote label={`${field.label} of ${server}`} hint={field.hint} fault={fault}>
      {(ids) => (
        <DraftInput
          {...ids}
          className="font-mono"
          value={printPatterns(list)}
          placeholder={`all ${field.label.toLowerCase()}`}
          late
          onCommit={(text) => open.type(parsePatterns(text))}
        />
      )}
    </FieldNote>
  );
}
