'use client';

import { ListFilter } from 'lucide-react';
import { useId, useRef } from 'react';
import { later, useEver } from '@/components/ui/later';
import { runFields } from '@/lib/trace/run-filter';
import { type Draft, operatorWords, stepOf } from './filter-draft';
import type { FilterInputProps } from './filter-input-props';
import { useFilterInput } from './use-filter-input';

const FilterSuggestions = later(async () => (await import('./filter-suggestions')).FilterSuggestions, null);

const placeholders = {
  field: 'Filter by status, tool…',
  operator: 'is, contains…',
  value: 'value',
} as const;

/** Writes one part of a filter, each step with suggestions. Everything works by keyboard, as in any combobox. */
export function FilterInput(props: FilterInputProps) {
  const { input, draft } = props;
  const list = useId();
  const place = useRef<HTMLDivElement>(null);
  const { open, setOpen, suggestions, problem, active, setMarked, change, take, onKeyDown } = useFilterInput(props);
  const isShown = open && (suggestions.length > 0 || problem !== undefined);
  const wasShown = useEver(isShown);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the input focuses it, as in a text field */}
      <div
        ref={place}
        onPointerEnter={FilterSuggestions.load}
        className="flex h-8 min-w-48 flex-1 cursor-text items-center gap-1.5 px-1 text-sm"
        onMouseDown={(event) => {
          if (event.target === input.current) return;
          event.preventDefault();
          input.current?.focus();
        }}
      >
        <ListFilter aria-hidden className="size-4 shrink-0 text-faint" />
        <DraftWords draft={draft} />
        <input
          ref={input}
          role="combobox"
          aria-label={labelOf(draft)}
          aria-expanded={isShown}
          aria-controls={isShown ? list : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isShown && active >= 0 ? `${list}-${active}` : undefined}
          aria-invalid={problem !== undefined && suggestions.length === 0 ? true : undefined}
          value={draft.text}
          placeholder={placeholders[stepOf(draft)]}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            change({ ...draft, text: event.currentTarget.value });
            setOpen(true);
          }}
          onClick={() => setOpen(true)}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-faint"
        />
      </div>
      {wasShown && (
        <FilterSuggestions
          {...{ list, suggestions, active, problem, isShown, setOpen }}
          place={place}
          label={labelOf(draft)}
          onMark={setMarked}
          onTake={take}
        />
      )}
    </>
  );
}

function labelOf(draft: Draft): string {
  if (draft.field === undefined) return 'Add a filter';
  const { label } = runFields[draft.field];
  return draft.operator === undefined ? `${label}: operator` : `${label} ${operatorWords[draft.operator]}`;
}

function DraftWords({ draft: { field, operator } }: { readonly draft: Draft }) {
  if (field === undefined) return null;
  return (
    <span
      aria-hidden
      className="shrink-0 whitespace-nowrap rounded-sm bg-accent-soft px-1.5 py-0.5 text-accent text-xs"
    >
      {runFields[field].label} {operator !== undefined && operatorWords[operator]}
    </span>
  );
}
