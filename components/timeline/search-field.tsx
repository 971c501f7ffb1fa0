'use client';

import { ChevronDown, ChevronUp, LoaderCircle, Search, X } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { isTyping } from '@/components/ui/typing';
import type { RunSearch } from './use-run-search';

export interface SearchFieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly search: RunSearch;
  readonly selected: number | undefined;
  readonly onSelect: (span: number) => void;
  /** Gives the focus back to the lanes. */
  readonly onLeave: () => void;
}

/**
 * Searches the run. Lanes without a result are left out, and bars that were not found are dimmed. `/` goes to the field from
 * anywhere, Enter and Shift+Enter walk the results, Escape clears the field and leaves it.
 */
export const SearchField = memo(function SearchField(props: SearchFieldProps) {
  const { text, onText, search, selected, onSelect, onLeave } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof HTMLElement ? event.target : undefined;
      if (isTyping(event.target) || target?.closest('[role=dialog]') != null) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const spans = search.found?.ids;
  const at = selected === undefined ? -1 : (spans?.indexOf(selected) ?? -1);
  const step = (by: 1 | -1) => {
    if (spans === undefined || spans.length === 0) return;
    const next = spans[at === -1 ? (by === 1 ? 0 : spans.length - 1) : (at + by + spans.length) % spans.length];
    if (next !== undefined) onSelect(next);
  };
  return (
    <search className="ml-1 flex h-6 min-w-0 shrink items-center gap-0.5 rounded border border-line-strong bg-surface pl-1.5 focus-within:border-accent">
      {search.busy ? (
        <LoaderCircle aria-hidden className="size-3 shrink-0 animate-spin text-faint" />
      ) : (
        <Search aria-hidden className="size-3 shrink-0 text-faint" />
      )}
      <input
        ref={field}
        type="search"
        aria-label="Search this run"
        placeholder="Search  /"
        title="Names, arguments, results and messages"
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') {
            onText('');
            onLeave();
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
        className="h-full w-20 min-w-0 bg-transparent px-1 text-ink text-xs outline-none placeholder:text-faint @2xl:w-36 [&::-webkit-search-cancel-button]:hidden"
      />
      <span
        role="status"
        data-search-count={text}
        title={search.error}
        className="whitespace-nowrap text-2xs text-muted tabular-nums empty:hidden"
      >
        {spans === undefined ? '' : countWords(at, spans.length, search)}
      </span>
      {spans !== undefined && (
        <>
          <IconButton
            size="sm"
            label="Previous result"
            keys="Shift+Enter"
            icon={<ChevronUp aria-hidden />}
            disabled={spans.length === 0}
            onClick={() => step(-1)}
          />
          <IconButton
            size="sm"
            label="Next result"
            keys="Enter"
            icon={<ChevronDown aria-hidden />}
            disabled={spans.length === 0}
            onClick={() => step(1)}
          />
          <IconButton size="sm" label="Clear the search" icon={<X aria-hidden />} onClick={() => onText('')} />
        </>
      )}
    </search>
  );
});

function countWords(at: number, count: number, { busy, error }: RunSearch): string {
  const all = count.toLocaleString('en-US');
  if (at >= 0) return `${(at + 1).toLocaleString('en-US')} of ${all}`;
  if (error !== undefined) return `${all} by name`;
  return count === 0 ? (busy ? '…' : 'none') : `${all} found`;
}
