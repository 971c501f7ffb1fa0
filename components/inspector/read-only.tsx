import type { ReactNode } from 'react';
import { useProject } from '@/components/editor-state/project-context';

/** Disables every control of a form for people who may only read the project. */
export function ReadOnly({ children }: { readonly children: ReactNode }) {
  const mayEdit = useProject((state) => state.mayEdit);
  return mayEdit ? (
    children
  ) : (
    <fieldset disabled className="min-w-0">
      {children}
    </fieldset>
  );
}
