'use client';

import { CircleAlert, Info, X } from 'lucide-react';
import { useActions, useProject } from '@/components/editor-state/project-context';

/**
 * Shows one sentence about the last thing that failed, or that the editor did by itself. It stays until it is dismissed.
 */
export function Notices() {
  const notice = useProject((state) => state.notice);
  const actions = useActions();
  if (notice === undefined) return null;
  const bad = notice.tone === 'bad';
  const Icon = bad ? CircleAlert : Info;
  return (
    <div
      role={bad ? 'alert' : 'status'}
      className={`flex shrink-0 items-start gap-2 border-b px-3 py-1.5 text-sm ${bad ? 'bg-bad-soft text-bad' : 'bg-busy-soft text-busy'}`}
    >
      <Icon size={15} aria-hidden className="mt-0.5 shrink-0" />
      <p className="min-w-0 flex-1">{notice.text}</p>
      <button
        type="button"
        aria-label="Dismiss"
        className="cursor-pointer rounded-sm p-0.5 hover:bg-hover"
        onClick={() => actions.notify(undefined)}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
