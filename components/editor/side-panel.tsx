'use client';

import { FileText, Plus } from 'lucide-react';
import { useActions, useProject, useProjectAs } from '@/components/editor-state/project-context';
import { ProblemMark } from '@/components/marks/problem-mark';
import { IconButton } from '@/components/ui/icon-button';
import type { Card } from '@/lib/cards/card';
import { OutlineTree } from './outline-tree';
import { Palette } from './palette';

/** Shows the content of the project as a tree, and what can be added. */
export function SidePanel() {
  const mayEdit = useProject((state) => state.mayEdit);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-9 shrink-0 items-center justify-between border-b pr-1 pl-3">
        <h2 className="text-xs font-medium text-muted">Outline</h2>
        {mayEdit && <AddButton />}
      </div>
      <div data-scrolls className="relative min-h-0 flex-1 overflow-auto [contain:content]">
        <OutlineTree />
        <ProjectFiles />
      </div>
      {mayEdit && <Palette />}
    </div>
  );
}

/** Opens the list of everything that can be added, at the button. */
function AddButton() {
  const actions = useActions();
  return (
    <IconButton
      size="sm"
      label="Add"
      keys="N"
      icon={<Plus aria-hidden />}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect();
        actions.show({ picking: { what: 'all', list: { x: left, y: bottom } }, narrowPanel: 'canvas' });
      }}
    />
  );
}

function sameFiles(a: readonly Card[], b: readonly Card[]): boolean {
  return a.length === b.length && a.every((card, at) => card.file === b[at]?.file);
}

/** Lists files that are not in the tree above: cards that cannot be read, configuration, code, documents. */
function ProjectFiles() {
  const roles = useProject((state) => state.picture.parsed.roles);
  const cards = useProjectAs((state) => state.picture.drawn.cards, sameFiles);
  const issues = useProject((state) => state.picture.parsed.issues);
  const openFile = useProject((state) => state.openFile);
  const actions = useActions();
  const inTree = new Set(cards.map((card) => card.file));
  const paths = [...roles].filter(([path, role]) => !inTree.has(path) && role !== 'binary').map(([path]) => path);
  if (paths.length === 0) return null;
  return (
    <section aria-label="Other files" className="border-t py-1">
      <h3 className="px-3 pt-1 pb-0.5 text-2xs font-medium text-faint">Files</h3>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <button
              type="button"
              title={path}
              className={`flex h-7 w-full cursor-pointer items-center gap-2 px-3 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 ${
                path === openFile ? 'bg-accent-soft text-ink' : 'text-muted'
              }`}
              onClick={() => actions.openFile(path)}
            >
              <FileText size={14} aria-hidden className="shrink-0" />
              <span className="min-w-0 flex-1 truncate">{path}</span>
              <ProblemMark issues={issues.filter((issue) => issue.file === path)} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
