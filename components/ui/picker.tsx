'use client';

import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from './class-names';
import { PickerList } from './picker-list';
import type { PickerContent, PickerOption, PickerRow } from './picker-rows';

interface PickerProps extends PickerContent {
  /** The accessible name. */
  readonly label: string;
  /** Set inside a `Field`, whose label shows this name. */
  readonly id?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
  /** The text of the button when nothing is chosen. */
  readonly placeholder?: string;
  /** The text of the empty search field. */
  readonly searchPlaceholder?: string;
  readonly disabled?: boolean;
  readonly size?: 'sm' | 'md';
  readonly className?: string;
}

export interface PickOneProps extends PickerProps {
  readonly value: string | undefined;
  /** Gets `undefined` if the row of `none` is chosen. */
  readonly onChange: (value: string | undefined) => void;
}

/**
 * Chooses one of several options, found by typing. A value that is no option is shown as missing, unless free text is
 * allowed. Actions such as "Create agent" come after the options.
 *
 *     <PickOne id={id} label="Fan in" value={card.fanIn} options={agents} none="None" onChange={set} />
 */
export function PickOne({ value, onChange, ...props }: PickOneProps) {
  const option = props.options.find((one) => one.value === value);
  const text = value === undefined ? (props.none ?? props.placeholder) : (option?.label ?? value);
  const missing = value !== undefined && option === undefined && !props.freeText;
  return (
    <Picker
      {...props}
      many={false}
      chosen={value === undefined ? [] : [value]}
      shown={
        <>
          {option?.icon && <span className="shrink-0 text-muted [&>svg]:size-3.5">{option.icon}</span>}
          <span className={classNames('truncate', missing && 'text-bad', value === undefined && 'text-faint')}>
            {text}
            {missing && ' · missing'}
          </span>
        </>
      }
      onSelect={(row) => {
        if (row.kind === 'option') onChange(row.option.value);
        else onChange(row.kind === 'typed' ? row.text : undefined);
      }}
    />
  );
}

export interface PickManyProps extends Omit<PickerProps, 'none'> {
  readonly values: readonly string[];
  readonly onAdd: (value: string) => void;
  readonly onRemove: (value: string) => void;
  /** The text of the button, such as "Add agent…". By default it names what is chosen. */
  readonly caption?: string;
}

/** Chooses any number of options. The list stays open, and each option is added or removed at once. */
export function PickMany({ values, onAdd, onRemove, caption, ...props }: PickManyProps) {
  const text = caption ?? (values.length === 0 ? undefined : labelsOf(values, props.options));
  return (
    <Picker
      {...props}
      many
      chosen={values}
      shown={
        <span className={classNames('truncate', (text === undefined || caption !== undefined) && 'text-faint')}>
          {text ?? props.placeholder}
        </span>
      }
      onSelect={(row) => {
        if (row.kind === 'typed') onAdd(row.text);
        if (row.kind !== 'option') return;
        if (values.includes(row.option.value)) onRemove(row.option.value);
        else onAdd(row.option.value);
      }}
    />
  );
}

function labelsOf(values: readonly string[], options: readonly PickerOption[]): string {
  const labels = new Map(options.map(({ value, label }) => [value, label]));
  return values.map((value) => labels.get(value) ?? value).join(', ');
}

interface PickerBaseProps extends PickerProps {
  readonly many: boolean;
  readonly chosen: readonly string[];
  readonly shown: ReactNode;
  /** Gets every chosen row that is not an action. */
  readonly onSelect: (row: PickerRow) => void;
}

/** The button of a picker and its list. */
function Picker(props: PickerBaseProps) {
  const { many, chosen, shown, onSelect, disabled, size = 'md' } = props;
  const [opened, setOpened] = useState<{ readonly typed: string }>();
  const keepsFocus = useRef(true);
  const popup = useId();
  const close = () => setOpened(undefined);
  const open = (typed: string) => {
    keepsFocus.current = true;
    setOpened({ typed });
  };
  const select = (row: PickerRow, typed: string) => {
    if (row.kind === 'action') {
      keepsFocus.current = row.action.movesFocus !== true;
      close();
      row.action.onSelect(typed);
      return;
    }
    if (!many) close();
    onSelect(row);
  };
  return (
    <Popover.Root modal open={opened !== undefined} onOpenChange={(on) => (on ? open('') : close())}>
      <Popover.Trigger
        type="button"
        role="combobox"
        id={props.id}
        aria-label={props.id === undefined ? props.label : undefined}
        aria-describedby={props['aria-describedby']}
        aria-invalid={props['aria-invalid']}
        aria-haspopup="dialog"
        aria-controls={opened === undefined ? undefined : popup}
        disabled={disabled}
        className={classNames(
          'inline-flex w-full min-w-0 cursor-pointer items-center justify-between gap-2 rounded border border-line-strong bg-surface px-2.5 text-left text-ink',
          'transition-colors duration-100 hover:border-faint disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted aria-invalid:border-bad',
          size === 'sm' ? 'h-7 text-xs' : 'h-8 text-sm',
          props.className,
        )}
        onKeyDown={(event) => openByKey(event, open)}
      >
        <span className="flex min-w-0 items-center gap-1.5">{shown}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          id={popup}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={props.label}
          className="z-50 w-(--radix-popover-trigger-width) min-w-72 max-w-[calc(100vw-1rem)] overflow-hidden rounded-lg border bg-raised shadow-pop outline-none"
          onCloseAutoFocus={(event) => {
            if (!keepsFocus.current) event.preventDefault();
          }}
        >
          <PickerList
            label={props.label}
            content={props}
            chosen={new Set(chosen)}
            many={many}
            typed={opened?.typed ?? ''}
            searchPlaceholder={props.searchPlaceholder ?? (props.freeText ? 'Search or type…' : 'Search…')}
            onSelect={select}
            onLeave={close}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Arrows open the list as in a native select, and a letter opens it with that letter in the search field. */
function openByKey(event: KeyboardEvent, open: (typed: string) => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
  const letter = event.key.length === 1 && event.key !== ' ';
  if (!arrow && !letter) return;
  event.preventDefault();
  event.stopPropagation();
  open(letter ? event.key : '');
}
