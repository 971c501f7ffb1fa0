'use client';

import { Popover } from 'radix-ui';
import type { RefObject } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { Suggestion } from './filter-draft';

interface FilterSuggestionsProps extends SuggestionsProps {
  /** The list is below it. */
  readonly place: RefObject<HTMLDivElement | null>;
  readonly isShown: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly problem: string | undefined;
}

/** What may be written next in the filter, or what is wrong with it. */
export function FilterSuggestions({ place, isShown, setOpen, problem, ...list }: FilterSuggestionsProps) {
  return (
    <Popover.Root open={isShown} onOpenChange={setOpen}>
      <Popover.Anchor virtualRef={place as RefObject<HTMLDivElement>} />
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
          <Suggestions {...list} />
          {problem !== undefined && list.suggestions.length === 0 && (
            <p className="px-3 py-2 text-bad text-xs">{problem}</p>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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
