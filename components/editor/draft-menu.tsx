'use client';

import { ChevronDown } from 'lucide-react';
import { useProject } from '@/components/editor-state/project-context';
import { usePublishing } from '@/components/revisions/publish-context';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { editorHref, revisionsHref } from '@/lib/client/project-address';

/** Says which draft is shown, and leads to the others. It is hidden while there is only `main`. */
export function DraftMenu() {
  const publishing = usePublishing();
  const project = useProject((state) => state.projectId);
  const draft = useProject((state) => state.draft);
  if (publishing === undefined || publishing.drafts.length < 2) return null;
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Draft ${draft}`}
          className="inline-flex h-7 min-w-0 shrink cursor-pointer items-center gap-1 rounded px-1.5 text-muted text-xs hover:bg-hover hover:text-ink"
        >
          {/* A phone has room for the name of the project, or for that of a draft that is not the usual one. */}
          <span className={`min-w-0 max-w-32 truncate ${draft === 'main' ? 'max-sm:sr-only' : ''}`}>{draft}</span>
          <ChevronDown aria-hidden className="size-3 shrink-0" />
        </button>
      }
    >
      {publishing.drafts.map((name) => (
        <MenuItem key={name} href={editorHref(project, name)}>
          {name === draft ? `${name} (shown)` : name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem href={revisionsHref(project)}>Drafts and revisions</MenuItem>
    </Menu>
  );
}
