'use client';

import { createContext, use, useState } from 'react';
import { useStore } from 'zustand';
import type { ShownState } from '@/lib/editor/follow-typing';
import type { ProjectState } from '@/lib/editor/project-state';
import type { ProjectStore } from '@/lib/editor/project-store';

export const ProjectContext = createContext<ProjectStore | undefined>(undefined);

export function useProjectStore(): ProjectStore {
  const project = use(ProjectContext);
  if (project === undefined) throw new Error('Bug: a part of the editor outside its project');
  return project;
}

/** The state that a part of the page shows in place of the newest one (`followTyping`). */
export const ShownContext = createContext<ShownState | undefined>(undefined);

/** Reads one value of the open project. The component renders again when that value changes. */
export function useProject<T>(read: (state: ProjectState) => T): T {
  const { store } = useProjectStore();
  return useStore(use(ShownContext) ?? store, read);
}

/**
 * Does the same for a value that is made anew although what the component shows of it stays. `same` compares two of them.
 */
export function useProjectAs<T>(read: (state: ProjectState) => T, same: (before: T, now: T) => boolean): T {
  const [readSame] = useState(() => {
    let last: { readonly newest: T; readonly value: T } | undefined;
    return (state: ProjectState) => {
      const newest = read(state);
      // React asks several times for one state, and comparing may take long.
      if (last === undefined) last = { newest, value: newest };
      else if (last.newest !== newest) last = { newest, value: same(last.value, newest) ? last.value : newest };
      return last.value;
    };
  });
  return useProject(readSame);
}

/** Returns the open project's actions, which never change. */
export function useActions(): ProjectStore['actions'] {
  return useProjectStore().actions;
}

/** Reads the state in an event handler, without a subscription. */
export function useReadProject(): () => ProjectState {
  return useProjectStore().store.getState;
}
