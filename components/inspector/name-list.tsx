'use client';

import { ArrowDown, ArrowUp, Plus, SlidersHorizontal, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import { NameSelect } from '@/components/ui/name-select';
import { useLatest } from '@/components/ui/use-latest';

export interface NameListProps {
  readonly id: string;
  readonly label: string;
  readonly names: readonly string[];
  /** All names that can be chosen. */
  readonly known: readonly string[];
  /** A known name that cannot be added: the agent whose list this is. */
  readonly not?: string;
  /** True if a name may be added again. */
  readonly repeats?: boolean;
  /** If set, a name may be typed. Otherwise one of the known names that are not in the list is chosen. */
  readonly typed?: { readonly placeholder: string };
  /** If set, each entry has settings of its own. */
  readonly onOptions?: (name: string) => void;
  /** The word for one entry, such as "agent". */
  readonly noun: string;
  readonly onAdd: (name: string) => void;
  readonly onRemove: (index: number) => void;
  readonly onMove: (from: number, to: number) => void;
  readonly onOpen: (name: string) => void;
}

/** Edits references to agents or servers, which have an order: add, remove, move. */
export function NameList(props: NameListProps) {
  const { names } = props;
  const add = useLatest(props.onAdd);
  const free = props.known.filter((name) => name !== props.not && (props.repeats || !names.includes(name)));
  const { list, move } = useMove(props.onMove);
  return (
    <div className="flex flex-col gap-1">
      {names.length === 0 ? null : (
        <ul ref={list} aria-label={props.label} className="divide-y overflow-hidden rounded border">
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
              {props.onOptions !== undefined && props.known.includes(name) ? (
                <IconButton
                  size="sm"
                  label={`Options of ${name}`}
                  icon={<SlidersHorizontal aria-hidden />}
                  onClick={() => props.onOptions?.(name)}
                />
              ) : null}
              {names.length > 1 ? (
                <>
                  <IconButton
                    size="sm"
                    label={`Move ${name} up`}
                    icon={<ArrowUp aria-hidden />}
                    disabled={index === 0}
                    data-move="up"
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    size="sm"
                    label={`Move ${name} down`}
                    icon={<ArrowDown aria-hidden />}
                    disabled={index === names.length - 1}
                    data-move="down"
                    onClick={() => move(index, index + 1)}
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
      {props.typed === undefined ? (
        <NameSelect
          id={props.id}
          size="sm"
          value={undefined}
          placeholder={free.length === 0 ? `No other ${props.noun}` : `Add ${props.noun}…`}
          disabled={free.length === 0}
          options={free.map((name) => ({ value: name, label: name }))}
          onValueChange={add}
        />
      ) : (
        <TypedEntry id={props.id} noun={props.noun} placeholder={props.typed.placeholder} onAdd={props.onAdd} />
      )}
    </div>
  );
}

/** Moves an entry. A moved entry is rendered anew; its button gets the focus back, so that the same key moves it on. */
function useMove(onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<{ readonly to: number; readonly up: boolean }>(undefined);
  useEffect(() => {
    const { current: last } = moved;
    moved.current = undefined;
    if (last === undefined) return;
    const buttons = list.current?.children[last.to]?.querySelectorAll<HTMLButtonElement>('button[data-move]') ?? [];
    const [wanted, other] = last.up ? buttons : [...buttons].reverse();
    (wanted?.disabled ? other : wanted)?.focus();
  });
  const move = (from: number, to: number) => {
    moved.current = { to, up: to < from };
    onMove(from, to);
  };
  return { list, move };
}

function TypedEntry(props: {
  readonly id: string;
  readonly noun: string;
  readonly placeholder: string;
  readonly onAdd: (name: string) => void;
}) {
  const [text, setText] = useState('');
  const add = () => {
    if (text.trim() === '') return;
    props.onAdd(text.trim());
    setText('');
  };
  return (
    <div className="flex gap-1">
      <Input
        id={props.id}
        className="font-mono !h-7 !text-xs"
        value={text}
        placeholder={props.placeholder}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
        }}
      />
      <IconButton size="md" className="!size-7" label={`Add ${props.noun}`} icon={<Plus aria-hidden />} onClick={add} />
    </div>
  );
}
