'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { namedFields } from '@/lib/trace/run-filter';
import {
  type Draft,
  draftProblem,
  emptyDraft,
  type FoundValue,
  type Suggestion,
  stepBack,
  suggestionsFor,
  takeSuggestion,
} from './filter-draft';
import type { FilterInputProps, FilterNames } from './filter-input-props';

/** The state of the input: its suggestions, which one is marked, and what keys do. */
export function useFilterInput({ draft, onDraft, names, onAdd, onBack }: Omit<FilterInputProps, 'input'>) {
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const { found, error } = useFoundValues(draft, names);
  const now = Date.now();
  const suggestions = suggestionsFor(draft, found, now);
  const problem = draftProblem(draft, now) ?? error;
  const active = Math.min(marked, suggestions.length - 1);
  const change = (next: Draft) => {
    setMarked(0);
    onDraft(next);
  };
  const take = (suggestion: Suggestion) => {
    const { draft: next, clause } = takeSuggestion(draft, suggestion);
    change(next);
    if (clause === undefined) return;
    onAdd(clause);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = suggestions[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setMarked(open ? (active + by + suggestions.length) % Math.max(1, suggestions.length) : 0);
      setOpen(true);
    } else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey && open && draft.text !== '')) {
      if (chosen === undefined || !open) return;
      take(chosen);
    } else if (event.key === 'Escape') {
      if (!open && draft === emptyDraft) return;
      if (open) setOpen(false);
      else change(emptyDraft);
    } else if (event.key === 'Backspace' && draft.text === '') {
      const before = stepBack(draft);
      if (before === undefined) onBack();
      else change(before);
    } else return;
    event.preventDefault();
  };
  return { open, setOpen, suggestions, problem, active, setMarked, change, take, onKeyDown };
}

/** Asks the server for names while the value of a name is written. */
function useFoundValues({ field, operator, text }: Draft, names: FilterNames) {
  const named = namedFields.find((each) => each === field);
  const isNamed = operator !== undefined && (named !== undefined || field === 'project');
  const { data, error } = useQuery({
    queryKey: ['filter-values', field, text.trim()],
    queryFn: async (): Promise<readonly FoundValue[]> => {
      if (named !== undefined) {
        return (await names.complete(named, text.trim())).map((name) => ({ value: name, label: name }));
      }
      const { projects } = await names.projects.find(text.trim());
      return projects.map(({ id, name }) => ({ value: id, label: name }));
    },
    enabled: isNamed,
    placeholderData: (before, query) => (query?.queryKey[1] === field ? keepPreviousData(before) : undefined),
    staleTime: 10_000,
  });
  return { found: isNamed ? (data ?? []) : [], error: isNamed ? error?.message : undefined };
}
