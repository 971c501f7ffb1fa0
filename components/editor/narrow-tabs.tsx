'use client';

import { ListTree, PanelBottom, SlidersHorizontal, Workflow } from 'lucide-react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import type { NarrowPanel } from '@/lib/editor/project-state';

const tabs: readonly { readonly id: NarrowPanel; readonly label: string; readonly Icon: typeof Workflow }[] = [
  { id: 'outline', label: 'Outline', Icon: ListTree },
  { id: 'canvas', label: 'Canvas', Icon: Workflow },
  { id: 'inspector', label: 'Inspector', Icon: SlidersHorizontal },
  { id: 'dock', label: 'Run', Icon: PanelBottom },
];

/** Chooses the panel that a narrow screen shows. */
export function NarrowTabs() {
  const panel = useProject((state) => state.narrowPanel);
  const errors = useProject((state) => state.picture.parsed.issues.some((issue) => issue.severity === 'error'));
  const actions = useActions();
  return (
    <nav aria-label="Panels" data-uncovered className="grid shrink-0 grid-cols-4 border-t bg-surface">
      {tabs.map(({ id, label, Icon }) => (
        <button
          key={id}
          type="button"
          aria-pressed={panel === id}
          className="relative flex h-12 cursor-pointer flex-col items-center justify-center gap-0.5 text-2xs text-muted aria-pressed:text-accent focus-visible:-outline-offset-2"
          onClick={() => actions.show({ narrowPanel: id })}
        >
          <Icon size={18} aria-hidden />
          {label}
          {id === 'dock' && errors ? (
            <span className="absolute top-1.5 ml-6 size-2 rounded-full bg-bad">
              <span className="sr-only">has problems</span>
            </span>
          ) : null}
        </button>
      ))}
    </nav>
  );
}
