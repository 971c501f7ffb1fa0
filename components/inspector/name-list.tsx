'use client';

import { ArrowDown, ArrowUp, SlidersHorizontal, X } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { PickMany, PickOne } from '@/components/ui/picker';
import type { PickerAction, PickerOption } from '@/components/ui/picker-rows';
import { VisibleText } from '@/components/ui/visible-text';
import { TypedEntry } from './typed-entry';

export interface NameListProps {
  readonly id: string;
  readonly label: string;
  readonly names: readonly string[];
  /** All names that can be chosen. */
  readonly options: readonly PickerOption[];
  /** Rows of the picker that create one. */
  readonly actions?: readonly PickerAction[];
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
  const { names, noun, options } = props;
  const known = useMemo(() => new Set(options.map(({ value }) => value)), [options]);
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
                  known.has(name) ? 'text-ink' : 'text-bad'
                }`}
                title={known.has(name) ? `Go to ${name}` : `No ${props.noun} is called ${name}`}
                onClick={() => props.onOpen(name)}
              >
                <VisibleText text={name} />
                {known.has(name) ? '' : ' · missing'}
              </button>
              {props.onOptions !== undefined && known.has(name) ? (
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
        <Adder {...props} />
      ) : (
        <TypedEntry
          id={props.id}
          noun={noun}
          placeholder={props.typed.placeholder}
          onAdd={(name) => {
            props.onAdd(name);
            return true;
          }}
        />
      )}
    </div>
  );
}

/** The button below the list, which adds names. Where a name may occur once, it also removes them. */
function Adder({ id, label, names, options, actions, repeats, noun, onAdd, onRemove }: NameListProps) {
  const empty = options.length === 0 && (actions ?? []).length === 0;
  const shared = {
    id,
    label,
    options,
    actions,
    size: 'sm',
    disabled: empty,
    searchPlaceholder: `Search ${noun}s…`,
  } as const;
  const caption = empty ? `No other ${noun}` : `Add ${noun}…`;
  if (repeats) {
    return (
      <PickOne
        {...shared}
        value={undefined}
        placeholder={caption}
        onChange={(name) => name !== undefined && onAdd(name)}
      />
    );
  }
  return (
    <PickMany
      {...shared}
      values={names}
      caption={caption}
      onAdd={onAdd}
      onRemove={(name) => onRemove(names.indexOf(name))}
    />
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
