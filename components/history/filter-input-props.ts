import type { RefObject } from 'react';
import type { NamedField, RunClause } from '@/lib/trace/run-filter';
import type { Draft } from './filter-draft';
import type { ProjectNames } from './project-names';

/** Finds values for filters. Each function rejects with an Error whose message users may see. */
export interface FilterNames {
  readonly projects: ProjectNames;
  /** Returns names of agents, tools, hooks or sources that contain the text. */
  readonly complete: (field: NamedField, text: string) => Promise<readonly string[]>;
}

export interface FilterInputProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly names: FilterNames;
  readonly onAdd: (clause: RunClause) => void;
  /** Called for Backspace in an empty input at the first step. */
  readonly onBack: () => void;
}
