'use client';

import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { NameSelect } from '@/components/editor/name-select';
import { useLatest } from '@/components/editor/use-latest';
import { IconButton } from '@/components/ui/icon-button';

export interface NameListProps {
  readonly id: string;
  readonly label: string;
  readonly names: readonly string[];
  /** All names there are; those not in the list can be added. */
  readonly known: readonly string[];
  /** What one is called: "agent". */
  readonly noun: string;
  readonly onAdd: (name: string) => void;
  readonly onRemove: (index: number) => void;
  readonly onMove: (from: number, to: number) => void;
  readonly onOpen: (name: string) => void;
}

/** References to agents or servers, in order: add, remove, move. */
export function NameList(props: NameListProps) {
  const { names } = props;
  const add = useLatest(props.onAdd);
  const free = props.known.filter((name) => !names.includes(name));
  return (
    <div className="flex flex-col gap-1">
      {names.length === 0 ? null : (
        <ul aria-label={props.label} className="divide-y overflow-hidden rounded border">
          {names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand twice; its place is its identity
            <li key={`${index}:${name}`} className="group flex h-7 items-center gap-1 pr-0.5 pl-2 text-sm">
              <button
                type="button"
                className={`min-w-0 flex-1 cursor-pointer truncate text-left hover:underline ${
                  props.known.includes(name) ? 'text-ink' : 'text-bad'
                }`}
                title={props.known.includes(name) ? `Go to ${name}` : `No ${props.noun} is called ${name}`}
                onClick={() => props.onOpen(name)}
              >
                {name}
                {props.known.includes(name) ? '' : ' · missing'}
              </button>
              {names.length > 1 ? (
                <>
                  <IconButton
                    size="sm"
                    label={`Move ${name} up`}
                    icon={<ArrowUp aria-hidden />}
                    disabled={index === 0}
                    onClick={() => props.onMove(index, index - 1)}
                  />
                  <IconButton
                    size="sm"
                    label={`Move ${name} down`}
                    icon={<ArrowDown aria-hidden />}
                    disabled={index === names.length - 1}
                    onClick={() => props.onMove(index, index + 1)}
                  />
                </>
              ) : null}
              <IconButton
                size="sm"
                label={`Remove ${name}`}
                icon={<X aria-hidden />}
                onClick={() => props.onRemove(index)}
              />
            </li>
          ))}
        </ul>
      )}
      <NameSelect
        id={props.id}
        size="sm"
        value={undefined}
        placeholder={free.length === 0 ? `No other ${props.noun}` : `Add ${props.noun}…`}
        disabled={free.length === 0}
        options={free.map((name) => ({ value: name, label: name }))}
        onValueChange={add}
      />
    </div>
  );
}
