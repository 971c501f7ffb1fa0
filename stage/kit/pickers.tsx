'use client';

import { Bot, Plus } from 'lucide-react';
import { useState } from 'react';
import { Field } from '@/components/ui/field';
import { PickMany, PickOne } from '@/components/ui/picker';

const icon = <Bot aria-hidden />;
const agents = [
  { value: 'writer', label: 'writer', note: 'Drafts the text and corrects it', group: 'Agents', icon },
  { value: 'critic', label: 'critic', note: 'Reads what the writer wrote', group: 'Agents', icon },
  { value: 'remote', label: 'remote', group: 'Remote agents', icon, disabled: true },
];
const many = Array.from({ length: 1000 }, (_, n) => ({ value: `agent-${n}`, label: `agent-${n}` }));

export function Pickers() {
  const [one, setOne] = useState<string | undefined>('writer');
  const [several, setSeveral] = useState<readonly string[]>(['writer']);
  const add = (value: string) => setSeveral([...several, value]);
  const create = {
    label: (typed: string) => (typed === '' ? 'New agent…' : `Create agent '${typed}'`),
    icon: <Plus aria-hidden />,
    onSelect: setOne,
  };
  const rest = { values: several, onAdd: add, onRemove: (value: string) => setSeveral(without(several, value)) };
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      <Field label="Pick one">
        {(ids) => (
          <PickOne
            {...ids}
            label="Pick one"
            value={one}
            onChange={setOne}
            options={agents}
            none="None"
            actions={[create]}
          />
        )}
      </Field>
      <Field label="Pick one, missing" error="No agent is called 'gone'.">
        {(ids) => <PickOne {...ids} label="Pick one, missing" value="gone" onChange={setOne} options={agents} />}
      </Field>
      <Field label="Pick one, free text">
        {(ids) => (
          <PickOne {...ids} label="Pick one, free text" value={one} onChange={setOne} options={many} freeText />
        )}
      </Field>
      <Field label="Pick many">{(ids) => <PickMany {...ids} label="Pick many" options={agents} {...rest} />}</Field>
      <Field label="Pick many of 1,000">
        {(ids) => (
          <PickMany {...ids} size="sm" label="Pick many of 1,000" options={many} {...rest} caption="Add agent…" />
        )}
      </Field>
      <Field label="Pick one, disabled">
        {(ids) => (
          <PickOne {...ids} disabled label="Pick one, disabled" value={one} onChange={setOne} options={agents} />
        )}
      </Field>
    </div>
  );
}

function without(values: readonly string[], value: string): readonly string[] {
  return values.filter((one) => one !== value);
}
