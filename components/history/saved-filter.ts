export interface SavedFilter {
  readonly name: string;
  /** Query text, as the address has it. */
  readonly query: string;
}

export interface SavedFiltersProps {
  readonly saved: readonly SavedFilter[];
  /** The filter in use; empty if there is none. */
  readonly query: string;
  readonly onOpen: (query: string) => void;
  /** Saves or deletes, and resolves to the sentence of a failure. */
  readonly onSave: (name: string) => Promise<string | undefined>;
  readonly onDelete: (name: string) => Promise<string | undefined>;
}
