'use client';

import { CircleAlert, Info, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { AmongToasts } from '@/components/ui/toast';
import { isCallboardReached, onReach } from '@/lib/client/reach';
import { unreachable } from '@/lib/client/unreachable';

/**
 * Shows one sentence about the last thing that failed, or that the editor did by itself. It stays until it is dismissed. The page itself
 * says that Callboard cannot be reached.
 */
export function Notices() {
  const notice = useProject((state) => state.notice);
  const actions = useActions();
  const isReached = useSyncExternalStore(onReach, isCallboardReached, () => true);
  if (notice === undefined || (!isReached && notice.text.startsWith(unreachable))) return null;
  const bad = notice.tone === 'bad';
  const Icon = bad ? CircleAlert : Info;
  return (
    <AmongToasts>
      <div
        role={bad ? 'alert' : 'status'}
        className={`pointer-events-auto flex items-start gap-2 rounded-lg border px-3 py-2 text-sm shadow-pop ${bad ? 'border-bad bg-bad-soft text-bad' : 'border-busy bg-busy-soft text-busy'}`}
      >
        <Icon size={15} aria-hidden className="mt-0.5 shrink-0" />
        <p className="min-w-0 flex-1 break-words">{notice.text}</p>
        <button
          type="button"
          aria-label="Dismiss"
          className="cursor-pointer rounded-sm p-0.5 hover:bg-hover"
          onClick={() => actions.notify(undefined)}
        >
          <X size={14} aria-hidden />
        </button>
      </div>
    </AmongToasts>
  );
}
