import { createContext } from 'react';

/** Who edits the fields of a form, by their labels. */
export interface FieldLocks {
  /** Runs `onChange` whenever somebody may have entered or left a field. Returns an unsubscribe function. */
  subscribe(onChange: () => void): () => void;
  /** The name of whoever else edits the field now. */
  holderOf(label: string): string | undefined;
  /** Says that the field is edited here, or no longer. */
  enter(label: string): void;
  leave(label: string): void;
  /** Takes the field from whoever edits it. */
  take(label: string): void;
}

/** Without it every field is free. */
export const FieldLocksContext = createContext<FieldLocks | undefined>(undefined);
