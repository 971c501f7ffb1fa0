'use client';

import { Ellipsis, LoaderCircle, MessageSquare, TriangleAlert } from 'lucide-react';
import Link, { useLinkStatus } from 'next/link';
import { Badge } from '@/components/ui/badge';
import { countOf } from '@/components/ui/count-of';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import { StatusLabel } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import { chatHref } from '@/lib/client/project-address';
import type { ProjectCardData } from '@/lib/client/project-page';
import type { ProjectCardProps } from './card-items';
import { GraphSketch } from './graph-sketch';

const CardItems = later(
  async () => (await import('./card-items')).CardItems,
  ({ trigger }) => trigger,
);

/** Shows a project. The whole card opens it; the menu and the last run are targets of their own above the card. */
export function ProjectCard(props: ProjectCardProps) {
  const { project } = props;
  const { name, lastRun, updatedAt } = project;
  return (
    <li className="group relative flex min-w-0 flex-col rounded-lg border bg-surface shadow-card transition-colors duration-100 focus-within:border-line-strong hover:border-line-strong">
      <div className="h-32 overflow-hidden rounded-t-lg border-b bg-sunken p-2">
        <CardPicture project={project} />
      </div>
      <div className="flex min-w-0 flex-col gap-2 px-3.5 pt-2.5 pb-3">
        <div className="flex min-w-0 items-center gap-1">
          <h2 className="min-w-0 flex-1">
            <Link
              href={`/p/${project.id}`}
              title={name}
              className="line-clamp-1 break-all rounded-sm font-medium text-base text-ink after:absolute after:inset-0 after:rounded-lg"
            >
              <VisibleText text={name} />
              <Opening />
            </Link>
          </h2>
          <div className="relative -mr-1.5">
            <CardMenu {...props} />
          </div>
        </div>
        <div className="flex min-w-0 flex-wrap items-center gap-1.5 text-faint text-xs">
          <CardFigures project={project} />
          <span className="ml-auto whitespace-nowrap">
            Changed <TimeAgo at={updatedAt} />
          </span>
        </div>
        <div className="flex min-w-0 text-faint text-xs">
          {lastRun ? (
            <Link
              href={`/r/${lastRun.id}`}
              className="relative inline-flex items-center gap-1.5 rounded-sm hover:underline"
            >
              <span className="sr-only">Last run: </span>
              <StatusLabel status={lastRun.status} look="plain" />
              {lastRun.startedAt && (
                <span>
                  · started <TimeAgo at={lastRun.startedAt} />
                </span>
              )}
            </Link>
          ) : (
            <span>Not run yet</span>
          )}
          <Link
            href={chatHref(project.id)}
            aria-label={`Chat with ${name}`}
            className="relative ml-auto inline-flex items-center gap-1 rounded-sm hover:underline"
          >
            <MessageSquare aria-hidden className="size-3.5" />
            Chat
          </Link>
        </div>
      </div>
    </li>
  );
}

/** Offers what the person may do with the project. */
function CardMenu(props: ProjectCardProps) {
  const label = `Actions of ${props.project.name}`;
  return (
    <LaterMenu button={<IconButton size="sm" label={label} icon={<Ellipsis aria-hidden />} />} load={CardItems.load}>
      {(trigger) => <CardItems {...props} trigger={trigger} />}
    </LaterMenu>
  );
}

function CardPicture({ project }: { readonly project: ProjectCardData }) {
  switch (project.state) {
    case 'read':
      return <GraphSketch sketch={project.sketch} />;
    case 'reading':
      return (
        <p className="flex h-full items-center justify-center gap-1.5 text-muted text-xs">
          <LoaderCircle aria-hidden className="size-3.5 animate-spin motion-reduce:animate-none" />
          Reading its files…
        </p>
      );
    case 'unreadable':
      return (
        <div className="flex h-full items-center px-2">
          <p className="line-clamp-5 break-words text-muted text-xs">{project.issue.message}</p>
        </div>
      );
  }
}

function CardFigures({ project }: { readonly project: ProjectCardData }) {
  if (project.state === 'reading') return null;
  if (project.state === 'unreadable') {
    return (
      <Badge tone="bad" icon={<TriangleAlert aria-hidden />}>
        Too complex
      </Badge>
    );
  }
  const { agentCount, errorCount } = project;
  return (
    <>
      <Badge>{countOf(agentCount, 'agent')}</Badge>
      {errorCount > 0 && (
        <Badge tone="bad" icon={<TriangleAlert aria-hidden />}>
          {countOf(errorCount, 'problem')}
        </Badge>
      )}
    </>
  );
}

/** Spins while the page of the project loads. */
function Opening() {
  const { pending } = useLinkStatus();
  return (
    pending && (
      <LoaderCircle role="img" aria-label="Opening" className="absolute top-2 right-2 size-4 animate-spin text-muted" />
    )
  );
}
