'use client';

import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { type RunClause, runFields } from '@/lib/trace/run-filter';
import { emptyDraft, operatorWords, valueWord } from './filter-draft';
import { FilterInput } from './filter-input';
import type { FilterNames } from './filter-input-props';
import type { ProjectNames } from './project-names';

export interface FilterBarProps {
  readonly clauses: readonly RunClause[];
  readonly onChange: (clauses: readonly RunClause[]) => void;
  readonly names: FilterNames;
  /** Shown at the end of the bar, such as saved filters. */
  readonly children?: ReactNode;
}

/** Shows a filter as parts `field operator value`, and an input for the next part. A run must match all parts. */
export function FilterBar({ clauses, onChange, names, children }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const without = (index: number) => clauses.filter((_, each) => each !== index);
  const edit = (index: number) => {
    const clause = clauses[index];
    if (clause === undefined) return;
    const { field, operator, value } = clause;
    // The id of a project is nothing that a person types.
    setDraft({ field, operator, text: field === 'project' || field === 'status' ? '' : value });
    onChange(without(index));
    input.current?.focus();
  };
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="flex min-w-0 flex-[1_1_20rem] flex-wrap items-center gap-1 rounded border border-line-strong bg-surface px-1 py-0.5 focus-within:border-accent focus-within:outline focus-within:outline-2 focus-within:outline-accent">
        {clauses.map((clause, index) => (
          <Chip
            key={`${clause.field} ${clause.operator} ${clause.value}`}
            clause={clause}
            projects={names.projects}
            onEdit={() => edit(index)}
            onRemove={() => {
              onChange(without(index));
              input.current?.focus();
            }}
          />
        ))}
        <FilterInput
          {...{ input, draft, names }}
          onDraft={setDraft}
          onAdd={(clause) => onChange([...clauses, clause])}
          onBack={() => edit(clauses.length - 1)}
        />
        {clauses.length > 1 && (
          <Button variant="ghost" size="sm" onClick={() => onChange([])}>
            Clear
          </Button>
        )}
      </div>
      {children}
    </search>
  );
}

interface ChipProps {
  readonly clause: RunClause;
  readonly projects: ProjectNames;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Chip({ clause, projects, onEdit, onRemove }: ChipProps) {
  const { field, operator, value } = clause;
  const { label } = runFields[field];
  const { data: name } = useQuery({
    queryKey: ['project-name', value],
    queryFn: async () => (await projects.nameOf(value)) ?? 'a deleted project',
    enabled: field === 'project' && value !== '',
    staleTime: 60_000,
  });
  const shown = field === 'project' ? (name ?? '…') : valueWord(clause);
  return (
    <span className="inline-flex h-6.5 min-w-0 max-w-full items-center rounded-sm bg-hover text-xs">
      <button
        type="button"
        onClick={onEdit}
        title={`Edit: ${label} ${operatorWords[operator]} ${shown}`}
        className="h-full min-w-0 cursor-pointer truncate rounded-l-sm pr-1 pl-2 text-ink hover:bg-line"
      >
        {label} <span className="text-muted">{operatorWords[operator]}</span>{' '}
        <span className="font-medium">{shown}</span>
      </button>
      <button
        type="button"
        aria-label={`Remove the filter ${label} ${operatorWords[operator]} ${shown}`}
        onClick={onRemove}
        className="flex h-full w-6 shrink-0 cursor-pointer items-center justify-center rounded-r-sm text-muted hover:bg-line hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
