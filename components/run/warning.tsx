import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** A sentence that a person should read before going on. */
export function Warning({ children }: { readonly children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded border border-warn bg-warn-soft px-2 py-1.5 text-sm text-warn">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}
