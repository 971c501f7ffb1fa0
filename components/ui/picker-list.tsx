'use client';

import { Check, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names';
import {
  drawnRows,
  firstMarked,
  isSelectable,
  markedAfter,
  noteOf,
  type PickerContent,
  type PickerRow,
  pickerRows,
  rowTops,
  scrollToRow,
} from './picker-rows';
import { VisibleText } from './visible-text';

const viewHeight = 288;
/** Above and below the rows together. */
const padding = 8;

export interface PickerListProps {
  readonly label: string;
  readonly content: PickerContent;
  readonly chosen: ReadonlySet<string>;
  readonly many: boolean;
  /** The text of the search field when the list opens. */
  readonly typed: string;
  readonly searchPlaceholder: string;
  readonly onSelect: (row: PickerRow, typed: string) => void;
  readonly onLeave: () => void;
}

/** The open list of a picker: a search field that keeps the focus, and the rows below it. */
export function PickerList(props: PickerListProps) {
  const { content, chosen, onSelect } = props;
  const id = useId();
  const [typed, setTyped] = useState(props.typed);
  const [mark, setMark] = useState<number>();
  const rows = pickerRows(content, typed);
  const marked = isSelectable(rows[mark ?? -1]) ? (mark ?? -1) : firstMarked(rows, typed, chosen);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const next = markedAfter(event.key, rows, marked);
    const row = rows[marked];
    if (next !== undefined) setMark(next);
    else if (event.key === 'Enter') {
      if (row !== undefined) onSelect(row, typed.trim());
    } else if (event.key === 'Tab') {
      props.onLeave();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b px-2.5">
        <Search aria-hidden className="size-3.5 shrink-0 text-faint" />
        <input
          role="combobox"
          aria-label={props.label}
          aria-autocomplete="list"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={marked < 0 ? undefined : `${id}-${marked}`}
          // biome-ignore lint/a11y/noAutofocus: the list opens by a deliberate act, and typing searches it
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          placeholder={props.searchPlaceholder}
          className="h-9 w-full min-w-0 bg-transparent text-ink text-sm outline-none placeholder:text-faint"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setMark(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Rows
        {...{ id, rows, marked, chosen }}
        label={props.label}
        many={props.many}
        onMark={setMark}
        onSelect={(row) => onSelect(row, typed.trim())}
      />
      <p role="status" className="sr-only">
        {typed.trim() === '' ? '' : foundWords(rows)}
      </p>
    </>
  );
}

/** Says how many options were found and, where none was, what else can be chosen. */
function foundWords(rows: readonly PickerRow[]): string {
  const found = rows.filter(({ kind }) => kind === 'option').length;
  const other = rows.find(({ kind }) => kind === 'action');
  return found === 0 && other?.kind === 'action' ? `Nothing found. ${other.label}` : `${found} found`;
}

/** The rows in a box that scrolls to the marked one. */
function Rows(props: {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly PickerRow[];
  readonly marked: number;
  readonly chosen: ReadonlySet<string>;
  readonly many: boolean;
  readonly onMark: (index: number) => void;
  readonly onSelect: (row: PickerRow) => void;
}) {
  const { id, rows, marked, chosen, many, onMark, onSelect } = props;
  const view = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const tops = rowTops(rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list scrolls when the marked row or the rows change, not when it is scrolled by hand
  useLayoutEffect(() => {
    const box = view.current;
    if (box === null || marked < 0) return;
    // The heading above the first option is shown with it.
    const first = rows[marked - 1]?.kind === 'heading' ? marked - 1 : marked;
    const height = box.clientHeight - padding;
    box.scrollTop = scrollToRow(tops, first, scrollToRow(tops, marked, box.scrollTop, height), height);
  }, [marked, rows.length]);
  const [from, to] = drawnRows(tops, scrollTop, viewHeight);
  const numbers = numbersOf(rows);
  const drawn = rows.slice(from, to).map((row, index) => ({ row, index: from + index }));
  const drawRow = ({ row, index }: Drawn) => (
    <Row
      key={index}
      id={`${id}-${index}`}
      row={row}
      top={tops[index] ?? 0}
      height={(tops[index + 1] ?? 0) - (tops[index] ?? 0)}
      marked={index === marked}
      chosen={row.kind === 'option' && chosen.has(row.option.value)}
      many={many}
      number={numbers[index] ?? 0}
      count={numbers.at(-1) ?? 0}
      onMark={() => onMark(index)}
      onSelect={() => isSelectable(row) && onSelect(row)}
    />
  );
  return (
    <>
      {rows.length === 0 && <p className="px-3 py-3 text-muted text-sm">Nothing matches.</p>}
      <div
        ref={view}
        id={`${id}-list`}
        role="listbox"
        aria-label={props.label}
        aria-multiselectable={many || undefined}
        className={`max-h-72 overflow-y-auto overscroll-contain ${rows.length === 0 ? '' : 'p-1'}`}
        tabIndex={-1}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      >
        <div role="presentation" className="relative" style={{ height: tops.at(-1) }}>
          {inGroups(drawn).map(({ name, members }) =>
            name === undefined ? (
              members.map(drawRow)
            ) : (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not a fieldset
              <div key={`group ${name}`} role="group" aria-label={name}>
                {members.map(drawRow)}
              </div>
            ),
          )}
        </div>
      </div>
    </>
  );
}

interface RowProps {
  readonly id: string;
  readonly row: PickerRow;
  readonly top: number;
  readonly height: number;
  readonly marked: boolean;
  readonly chosen: boolean;
  readonly many: boolean;
  readonly number: number;
  readonly count: number;
  readonly onMark: () => void;
  readonly onSelect: () => void;
}

function Row({ id, row, top, height, marked, chosen, many, number, count, onMark, onSelect }: RowProps) {
  const place = { top, height };
  if (row.kind === 'heading') {
    return (
      <div
        aria-hidden
        style={place}
        className="absolute inset-x-0 flex items-end truncate px-2 pb-1 font-medium text-faint text-xs"
      >
        {row.group}
      </div>
    );
  }
  const disabled = row.kind === 'option' && row.option.disabled === true;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the search field keeps the focus and handles the keys
    <div
      id={id}
      role="option"
      aria-describedby={noteOf(row) ? `${id}-note` : undefined}
      aria-selected={chosen}
      aria-disabled={disabled || undefined}
      aria-setsize={count}
      aria-posinset={number}
      data-marked={marked || undefined}
      style={place}
      className={classNames(
        'absolute inset-x-0 flex cursor-pointer select-none items-center gap-2 rounded px-2 text-ink text-sm data-[marked]:bg-accent-soft',
        disabled && 'cursor-not-allowed opacity-50',
      )}
      onPointerMove={marked || disabled ? undefined : onMark}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onSelect}
    >
      <Tick chosen={chosen} many={many && row.kind === 'option'} />
      <RowContent id={id} row={row} />
    </div>
  );
}

function Tick({ chosen, many }: { readonly chosen: boolean; readonly many: boolean }) {
  const box = classNames(
    'flex size-4 shrink-0 items-center justify-center rounded-sm',
    many && (chosen ? 'border border-accent bg-accent text-accent-ink' : 'border border-line-strong bg-surface'),
  );
  return (
    <span aria-hidden className={box}>
      {chosen && <Check className={many ? 'size-3' : 'size-3.5 text-accent'} strokeWidth={many ? 3 : 2} />}
    </span>
  );
}

function RowContent(props: { readonly id: string; readonly row: Exclude<PickerRow, { kind: 'heading' }> }): ReactNode {
  const { row } = props;
  switch (row.kind) {
    case 'none':
      return <span className="truncate text-muted">{row.label}</span>;
    case 'typed':
      return (
        <span className="truncate">
          Use <span className="font-mono text-xs">{row.text}</span>
        </span>
      );
    case 'action':
      return (
        <>
          {row.action.icon && <span className="shrink-0 text-accent [&>svg]:size-4">{row.action.icon}</span>}
          <Lines id={props.id} label={row.label} note={row.note} className="text-accent" />
        </>
      );
    case 'option': {
      const { icon, label, note } = row.option;
      return (
        <>
          {icon && <span className="shrink-0 text-muted [&>svg]:size-4">{icon}</span>}
          <Lines id={props.id} label={label} note={note} />
        </>
      );
    }
  }
}

/** The label of a row, and its note below. */
function Lines(props: {
  readonly id: string;
  readonly label: string;
  readonly note: string | undefined;
  readonly className?: string;
}) {
  const { id, label, note, className } = props;
  return (
    <span className="min-w-0 flex-1">
      <span className={classNames('block truncate', className)} title={label}>
        <VisibleText text={label} />
      </span>
      {note && (
        <span aria-hidden id={`${id}-note`} className="block truncate text-faint text-xs" title={note}>
          <VisibleText text={note} />
        </span>
      )}
    </span>
  );
}

/** Returns for each row how many rows that can be chosen there are up to it. */
function numbersOf(rows: readonly PickerRow[]): readonly number[] {
  let count = 0;
  return rows.map((row) => {
    if (row.kind !== 'heading') count += 1;
    return count;
  });
}

interface Drawn {
  readonly row: PickerRow;
  readonly index: number;
}

/** Puts the drawn rows below the names of their groups, also when the heading itself is not drawn. */
function inGroups(drawn: readonly Drawn[]) {
  const groups: { readonly name: string | undefined; readonly members: Drawn[] }[] = [];
  for (const one of drawn) {
    const name = groupOf(one.row);
    const last = groups.at(-1);
    if (last !== undefined && last.name === name) last.members.push(one);
    else groups.push({ name, members: [one] });
  }
  return groups;
}

function groupOf(row: PickerRow): string | undefined {
  if (row.kind === 'heading') return row.group;
  return row.kind === 'option' ? row.option.group : undefined;
}
