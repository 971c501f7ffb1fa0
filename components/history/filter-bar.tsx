'use client';

import { ListFilter, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Menu, MenuItem } from '@/components/ui/menu';
import { Select } from '@/components/ui/select';
import { statusWord } from '@/components/ui/status';
import { runStates } from '@/lib/trace/run-state';
import { ProjectChoice, type ProjectNames } from './project-choice';
import { type FilterField, filterFields, type RunFilter } from './run-filter';

export interface FilterBarProps {
  readonly filter: RunFilter;
  readonly onChange: (filter: RunFilter) => void;
  readonly projects: ProjectNames;
}

const statuses = runStates.map((value) => ({ value, label: statusWord(value) }));

/** Shows filters as `field operator value`. A run must match all of them. */
export function FilterBar({ filter, onChange, projects }: FilterBarProps) {
  const bar = useRef<HTMLElement>(null);
  /** The field chosen from the menu. It is added when the menu has closed, and then its input gets the focus. */
  const added = useRef<FilterField>(undefined);
  const used = filterFields.filter(({ field }) => filter[field] !== undefined);
  const unused = filterFields.filter(({ field }) => filter[field] === undefined);
  const set = (field: FilterField, value: string | undefined) => {
    const { [field]: _, ...rest } = filter;
    onChange(value === undefined ? rest : { ...rest, [field]: value });
  };
  const add = (event: Event) => {
    const field = added.current;
    if (field === undefined) return;
    event.preventDefault();
    set(field, field === 'status' ? 'failed' : '');
  };
  useEffect(() => {
    const box = bar.current?.querySelector(`[data-field="${added.current}"]`);
    if (!box) return;
    added.current = undefined;
    box.querySelector<HTMLElement>('input, [role="combobox"]')?.focus();
  });
  return (
    <search ref={bar} className="flex flex-wrap items-center gap-2">
      {used.map((used) => (
        <FilterBox key={used.field} {...{ used, filter, projects }} onSet={(value) => set(used.field, value)} />
      ))}
      {unused.length > 0 && (
        <Menu
          trigger={<Button icon={<ListFilter aria-hidden className="size-4" />}>Filter</Button>}
          onCloseAutoFocus={add}
        >
          {unused.map(({ field, label }) => (
            <MenuItem
              key={field}
              onSelect={() => {
                added.current = field;
              }}
            >
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
      {used.length > 1 && (
        <Button variant="ghost" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </search>
  );
}

/** Shows one filter: its field, its operator, and an input for the value. */
function FilterBox(props: {
  readonly used: (typeof filterFields)[number];
  readonly filter: RunFilter;
  readonly projects: ProjectNames;
  /** Sets the value; `undefined` removes the filter. */
  readonly onSet: (value: string | undefined) => void;
}) {
  const { used, filter, projects, onSet } = props;
  const { field, label, operator } = used;
  return (
    <fieldset
      data-field={field}
      className="flex h-8 min-w-0 items-center rounded border border-line-strong bg-surface text-sm"
    >
      <legend className="sr-only">
        {label} {operator}
      </legend>
      <span aria-hidden className="whitespace-nowrap pl-2.5 text-ink">
        {label} <span className="text-muted">{operator}</span>
      </span>
      {field === 'project' ? (
        <ProjectChoice value={filter.project ?? ''} onChange={(id) => onSet(id)} names={projects} />
      ) : field === 'status' ? (
        <Select
          aria-label={label}
          value={filter[field] === '' ? undefined : filter[field]}
          placeholder="choose"
          options={statuses}
          onValueChange={(value) => onSet(value)}
          className="!h-7 !border-0 !bg-transparent !px-1.5 mr-1 ml-1 max-w-52"
        />
      ) : (
        <TextValue label={`${label} ${operator}`} value={filter[field] ?? ''} onChange={(value) => onSet(value)} />
      )}
      <button
        type="button"
        aria-label={`Remove the filter on ${label.toLowerCase()}`}
        onClick={() => onSet(undefined)}
        className="mr-1 flex size-6 shrink-0 cursor-pointer items-center justify-center rounded text-faint hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </fieldset>
  );
}

const typingMs = 250;

/** An input for text. The list gets typed text when the typing pauses. */
function TextValue(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { label, value, onChange } = props;
  const [text, setText] = useState(value);
  const [from, setFrom] = useState(value);
  if (from !== value) {
    setFrom(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), typingMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <Input
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      className="!h-7 !w-36 !border-0 !bg-transparent !px-1.5 mr-1 ml-2"
    />
  );
}
