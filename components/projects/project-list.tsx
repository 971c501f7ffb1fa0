'use client';

import { type Ref, useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { ProjectCardData } from '@/lib/client/project-page';
import { ProjectCard } from './project-card';

export interface ProjectListProps {
  readonly projects: readonly ProjectCardData[];
  /** The number of all projects, shown or not. */
  readonly total: number;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onShowMore: () => void;
  readonly exportHref: (id: string) => string;
  readonly accounts: boolean;
  readonly onRename: (project: ProjectCardData) => void;
  readonly onDuplicate: (project: ProjectCardData) => void;
  readonly onDelete: (project: ProjectCardData) => void;
  readonly ref: Ref<HTMLUListElement>;
}

/** Shows the cards of the loaded projects, their number, and a button that loads more. */
export function ProjectList(props: ProjectListProps) {
  const { projects, total, hasMore, isLoadingMore, onShowMore } = props;
  const box = useRef<HTMLDivElement>(null);
  /** The number of cards when more were requested. */
  const before = useRef<number>(undefined);
  useEffect(() => {
    if (before.current === undefined || isLoadingMore || projects.length <= before.current) return;
    // After the last page the button is gone, so the first new card gets the focus.
    if (!hasMore) focusName(box.current, before.current);
    before.current = undefined;
  }, [projects.length, hasMore, isLoadingMore]);
  return (
    <div ref={box}>
      <ul
        ref={props.ref}
        aria-label="Projects"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-4"
      >
        {projects.map((project) => (
          <ProjectCard
            key={project.id}
            project={project}
            exportHref={props.exportHref(project.id)}
            accounts={props.accounts}
            onRename={() => props.onRename(project)}
            onDuplicate={() => props.onDuplicate(project)}
            onDelete={() => props.onDelete(project)}
          />
        ))}
      </ul>
      <div className="mt-4 flex items-center gap-3 text-muted text-xs">
        <p role="status">{counted(projects.length, total)}</p>
        {hasMore && (
          <Button
            size="sm"
            busy={isLoadingMore}
            onClick={() => {
              before.current = projects.length;
              onShowMore();
            }}
          >
            Show more
          </Button>
        )}
      </div>
    </div>
  );
}

export function NoMatch({ text, onClear }: { readonly text: string; readonly onClear: () => void }) {
  return (
    <EmptyState title="No project has this in its name" action={<Button onClick={onClear}>Clear the search</Button>}>
      <span className="break-all">Looked for “{text}”.</span>
    </EmptyState>
  );
}

/** Puts the focus on the name of the card at `place`, or on the last one. */
export function focusName(box: HTMLElement | null, place: number): boolean {
  const names = box?.querySelectorAll<HTMLElement>('h2 a') ?? [];
  const name = names[Math.min(place, names.length - 1)];
  name?.focus();
  return name !== undefined;
}

function counted(shown: number, total: number): string {
  const number = (count: number) => count.toLocaleString('en');
  if (shown < total) return `${number(shown)} of ${number(total)} projects`;
  return total === 1 ? '1 project' : `${number(total)} projects`;
}
