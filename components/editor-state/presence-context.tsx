'use client';

import { createContext, type ReactNode, use, useMemo } from 'react';
import { useStore } from 'zustand';
import { FieldLocksContext } from '@/components/ui/field-locks';
import { lockOn, nameOf, type PresenceSession, type PresenceState } from '@/lib/editor/presence';
import { fieldKey } from '@/lib/editor/soft-locks';

export const PresenceContext = createContext<PresenceSession | undefined>(undefined);

function usePresenceSession(): PresenceSession {
  const session = use(PresenceContext);
  if (session === undefined) throw new Error('Bug: presence outside its project');
  return session;
}

export function usePresence<T>(read: (state: PresenceState) => T): T {
  return useStore(usePresenceSession().store, read);
}

export function usePresenceActions(): PresenceSession['actions'] {
  return usePresenceSession().actions;
}

/** Tells the fields inside who edits them. `of` is the node or edge whose form they are. */
export function FieldsOf({ of, children }: { readonly of: string; readonly children: ReactNode }) {
  const { store, actions } = usePresenceSession();
  const locks = useMemo(
    () => ({
      subscribe: (onChange: () => void) => store.subscribe(onChange),
      holderOf(label: string) {
        const holder = lockOn(store.getState(), fieldKey(of, label));
        return holder === undefined ? undefined : nameOf(holder);
      },
      enter: (label: string) => actions.edit(fieldKey(of, label)),
      leave(label: string) {
        if (store.getState().editing === fieldKey(of, label)) actions.edit(undefined);
      },
      take: (label: string) => actions.take(fieldKey(of, label)),
    }),
    [store, actions, of],
  );
  return <FieldLocksContext value={locks}>{children}</FieldLocksContext>;
}
