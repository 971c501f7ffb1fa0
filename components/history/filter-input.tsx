'use client';

import { ListFilter } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId } from 'react';
import { classNames } from '@/components/ui/class-names';
import { runFields } from '@/lib/trace/run-filter';
import { type Draft, operatorWords, type Suggestion, stepOf } from './filter-draft';
import type { FilterInputProps } from './filter-input-props';
import { useFilterInput } from './use-filter-input';

const placeholders = {
  field: 'Filter by status, tool…',
  operator: 'is, contains…',
  value: 'value',
} as const;

/** Writes one part of a filter, each step with suggestions. Everything works by keyboard, as in any combobox. */
export function FilterInput(props: FilterInputProps) {
  const { input, draft } = props;
  const list = useId();
  const { open, setOpen, suggestions, problem, active, setMarked, change, take, onKeyDown } = useFilterInput(props);
  const isShown = open && (suggestions.length > 0 || problem !== undefined);
  return (
    <Popover.Root open={isShown} onOpenChange={setOpen}>
      <Popover.Anchor asChild>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the input focuses it, as in a text field */}
        <div
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
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          className="z-50 w-72 max-w-[calc(100vw-1rem)] overflow-hidden rounded-lg border bg-raised shadow-pop"
        >
          <Suggestions {...{ list, suggestions, active }} label={labelOf(draft)} onMark={setMarked} onTake={take} />
          {problem !== undefined && suggestions.length === 0 && <p className="px-3 py-2 text-bad text-xs">{problem}</p>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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

interface SuggestionsProps {
  readonly list: string;
  readonly label: string;
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  readonly onMark: (index: number) => void;
  readonly onTake: (suggestion: Suggestion) => void;
}

function Suggestions({ list, label, suggestions, active, onMark, onTake }: SuggestionsProps) {
  if (suggestions.length === 0) return null;
  return (
    <div role="listbox" id={list} aria-label={label} className="max-h-80 overflow-y-auto p-1">
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
        <div
          key={`${suggestion.kind} ${suggestion.kind === 'clause' ? suggestion.clause.value : suggestion.label}`}
          role="option"
          tabIndex={-1}
          id={`${list}-${index}`}
          aria-selected={index === active}
          ref={index === active ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => onMark(index)}
          onClick={() => onTake(suggestion)}
          className={classNames(
            'flex cursor-pointer items-baseline gap-2 rounded px-2 py-1 text-ink text-sm',
            index === active && 'bg-hover',
          )}
        >
          <span className="min-w-0 truncate">{suggestion.label}</span>
          {suggestion.kind === 'clause' && suggestion.note !== undefined && (
            <span className="ml-auto shrink-0 text-faint text-xs">{suggestion.note}</span>
          )}
        </div>
      ))}
    </div>
  );
}
