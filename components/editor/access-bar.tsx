'use client';

import { Eye } from 'lucide-react';
import { useWhyNot } from '@/components/access/access-context';

/** Says why the person may only look, and whom to ask for more. */
export function AccessBar() {
  const why = useWhyNot('project.edit');
  if (why === undefined) return null;
  return (
    <div className="flex shrink-0 items-start gap-2 border-b bg-busy-soft px-3 py-1 text-ink text-xs" role="status">
      <Eye size={15} aria-hidden className="mt-px shrink-0 text-busy" />
      <p className="min-w-0 flex-1">
        <span className="font-medium">Read-only.</span> {why}
      </p>
    </div>
  );
}
