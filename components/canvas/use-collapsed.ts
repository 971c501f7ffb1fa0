'use client';

import { useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useRemembered } from '@/components/ui/remembered';

/** The groups that this browser shows collapsed. It is personal, so it is not saved in the project. */
export function useCollapsed(): readonly [ReadonlySet<string>, (id: string) => void] {
  const project = useProject((state) => state.projectId);
  const [kept, keep] = useRemembered(`collapsed.${project}`, '');
  return useMemo(() => {
    const collapsed = new Set(kept.split('\n').filter((id) => id !== ''));
    const toggle = (id: string) => {
      const others = [...collapsed].filter((each) => each !== id);
      keep((collapsed.has(id) ? others : [...others, id]).join('\n'));
    };
    return [collapsed, toggle] as const;
  }, [kept, keep]);
}
