'use client';

import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { policyPlaces } from '@/lib/cards/policy/rule';
import type { TypedRule } from './typed-rule';

const places = {
  any: 'Anywhere in the chain',
  first: 'First: outside all other hooks',
  last: 'Last: next to the tool',
} as const;

export interface CallFieldsProps {
  readonly typed: TypedRule;
  readonly onChange: (part: Partial<TypedRule>) => void;
}

/** Which calls a rule is about, and through which hook they go. */
export function CallFields({ typed, onChange }: CallFieldsProps) {
  return (
    <>
      {typed.kind === 'hook' && (
        <>
          <Field label="Hook" hint="path/of/file.ts:function, or a hook without code such as redact.">
            {(ids) => (
              <Input
                {...ids}
                className="font-mono"
                placeholder="hooks/guard.ts:guard"
                spellCheck={false}
                value={typed.hook}
                onChange={(event) => onChange({ hook: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Place">
            {(ids) => (
              <Select
                {...ids}
                value={typed.place}
                onValueChange={(place) => onChange({ place: policyPlaces.find((each) => each === place) ?? 'any' })}
                options={policyPlaces.map((value) => ({ value, label: places[value] }))}
              />
            )}
          </Field>
        </>
      )}
      <Field
        label="Tools"
        hint="Names as the model sees them, with * and ?. A tool of a server also goes by its own name."
      >
        {(ids) => (
          <Input
            {...ids}
            className="font-mono"
            spellCheck={false}
            value={typed.tools}
            onChange={(event) => onChange({ tools: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Agents (optional)" hint="Only calls of these agents, with * and ?. Empty: of every agent.">
        {(ids) => (
          <Input
            {...ids}
            className="font-mono"
            spellCheck={false}
            value={typed.agents}
            onChange={(event) => onChange({ agents: event.currentTarget.value })}
          />
        )}
      </Field>
      <label className="flex items-center gap-2 text-ink text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={typed.writes}
          onChange={(event) => onChange({ writes: event.currentTarget.checked })}
        />
        Only tools that may write
      </label>
    </>
  );
}
