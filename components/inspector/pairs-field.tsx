'use client';

import type { CardField } from './field-kinds';
import { type FieldPlace, useField } from './field-place';
import { pairEdits, pairsIn } from './pair-edits';
import { PairRows } from './pair-rows';

/** Edits the headers of a remote agent or of an MCP target, a row for each. A value may come from a variable. */
export function PairsField({ place, field }: { readonly place: FieldPlace; readonly field: CardField }) {
  const { path, value, fault, edit } = useField(place, field);
  return (
    <div className="flex flex-col gap-1">
      <PairRows kind="headers" value={pairsIn(value)} onChange={(pairs) => edit(pairEdits(path, value, pairs))} />
      {fault === undefined ? null : (
        <p className={`text-xs ${fault.severity === 'error' ? 'text-bad' : 'text-warn'}`}>{fault.message}</p>
      )}
    </div>
  );
}
