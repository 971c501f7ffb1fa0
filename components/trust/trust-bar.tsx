'use client';

import { ShieldQuestion } from 'lucide-react';
import { useProject } from '@/components/editor-state/project-context';
import { useTrust, useTrustActions } from '@/components/editor-state/trust-context';
import { Button } from '@/components/ui/button';

/** Says that the folder is not confirmed, so that runs wait. */
export function TrustBar() {
  const unconfirmed = useTrust((state) => state.state === 'unconfirmed');
  const actions = useTrustActions();
  const mayEdit = useProject((state) => state.mayEdit);
  if (!unconfirmed) return null;
  return (
    <div className="flex shrink-0 items-center gap-2 border-b bg-warn-soft px-3 py-1 text-xs text-ink" role="status">
      <ShieldQuestion size={15} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1">
        <span className="font-medium">Look only</span>: this folder has not been confirmed.
        <span className="max-sm:hidden"> {mayEdit ? 'You can edit it; a run asks first.' : 'A run asks first.'}</span>
      </p>
      <Button size="sm" onClick={() => void actions.review()}>
        Review
      </Button>
    </div>
  );
}
