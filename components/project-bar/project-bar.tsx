'use client';

import { ChevronDown, ChevronLeft, MoreHorizontal, Rocket, Upload } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useIsPaletteOpen } from '@/components/shell/palette-context';
import { Button, buttonClass } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import { VisibleText } from '@/components/ui/visible-text';
import type { ProjectAccess } from '@/lib/base/project-access';
import { type ProjectPageId, projectPages } from '@/lib/client/project-places';
import { type BarAction, type BarActions, barActions } from './bar-actions';
import { hrefOf, type PagesProps } from './page-href';

const PageItems = later(
  async () => (await import('./page-items')).PageItems,
  ({ trigger }) => trigger,
);
const MoreItems = later(
  async () => (await import('./more-items')).MoreItems,
  ({ trigger }) => trigger,
);
const BarRows = later(async () => (await import('./bar-rows')).BarRows, null);

export interface ProjectBarProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly access: ProjectAccess;
  /** The page of the project that is shown; `undefined` for a page that the bar does not name. */
  readonly current: ProjectPageId | undefined;
  /** The draft that is shown; `main` by default. */
  readonly draft?: string;
  /** True if the page has no other title than the name of the project. */
  readonly isTitle?: boolean;
  /** What Export and Publish do here. By default they lead to the editor. */
  readonly actions?: BarActions;
  /** The page's own entries of the menu. */
  readonly children?: ReactNode;
}

/**
 * The bar of every page of a project: the way back to all projects, the name, the pages in words, Export and Publish, and a menu of what is
 * used less often. A window that has no room for the words has them in a menu, whose button names the page.
 */
export function ProjectBar(props: ProjectBarProps) {
  const { project, access, current, draft = 'main', isTitle = false, children } = props;
  const actions = barActions({ id: project.id, draft: draft ?? 'main' }, access, props.actions);
  const isPaletteOpen = useIsPaletteOpen();
  const Name = isTitle ? 'h1' : 'span';
  return (
    <header className="flex h-10 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:px-3">
      <Link
        href="/"
        title="All projects"
        aria-label="All projects"
        className="inline-flex size-7 shrink-0 items-center justify-center rounded text-muted hover:bg-hover hover:text-ink"
      >
        <ChevronLeft aria-hidden className="size-4" />
      </Link>
      <Name className="min-w-0 max-w-56 shrink truncate font-semibold text-ink text-sm" title={project.name}>
        <VisibleText text={project.name} />
      </Name>
      <Pages {...{ project, current, draft }} />
      <PageMenu {...{ project, current, draft }} />
      <span className="flex-1" />
      {actions.map((action) => (
        <ActionButton key={action.name} action={action} />
      ))}
      <LaterMenu
        button={<IconButton label="More of the project" icon={<MoreHorizontal aria-hidden />} tooltipSide="bottom" />}
        load={MoreItems.load}
      >
        {(trigger) => <MoreItems {...{ project, access, actions, trigger }}>{children}</MoreItems>}
      </LaterMenu>
      {isPaletteOpen && <BarRows {...{ project, access, current, draft, actions }} />}
    </header>
  );
}

function Pages(props: PagesProps) {
  return (
    <nav aria-label="Pages of the project" className="ml-2 hidden h-full shrink-0 lg:flex">
      {projectPages.map((page) => (
        <Link
          key={page.id}
          href={hrefOf(page, props)}
          aria-current={page.id === props.current ? 'page' : undefined}
          className="-mb-px inline-flex h-10 items-center border-transparent border-b-2 px-2 font-medium text-muted text-sm transition-colors duration-100 hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-accent"
        >
          {page.name}
        </Link>
      ))}
    </nav>
  );
}

function PageMenu(props: PagesProps) {
  const now = projectPages.find(({ id }) => id === props.current);
  const button = (
    <button
      type="button"
      aria-label={now === undefined ? 'Pages of the project' : `Pages of the project, ${now.name} is shown`}
      className="inline-flex h-7 cursor-pointer items-center gap-1 rounded px-2 font-medium text-accent text-sm hover:bg-hover data-[state=open]:bg-hover"
    >
      {now?.name ?? 'Pages'}
      <ChevronDown aria-hidden className="size-3.5" />
    </button>
  );
  return (
    <span className="ml-1 shrink-0 lg:hidden">
      <LaterMenu button={button} load={PageItems.load}>
        {(trigger) => <PageItems {...props} trigger={trigger} />}
      </LaterMenu>
    </span>
  );
}

function ActionButton({ action }: { readonly action: BarAction }) {
  const { name, refusal, href, act, busy } = action;
  const icon =
    name === 'Export' ? <Upload aria-hidden className="size-4" /> : <Rocket aria-hidden className="size-4" />;
  // Runs have an export of their own.
  const title = refusal ?? `${name} the project`;
  if (href !== undefined && refusal === undefined) {
    return (
      <Link href={href} title={title} className={`${buttonClass('secondary', 'sm')} max-sm:hidden`}>
        {icon}
        {name}
      </Link>
    );
  }
  return (
    <Button
      size="sm"
      className="max-sm:hidden"
      icon={icon}
      title={title}
      aria-disabled={refusal !== undefined}
      busy={busy === true}
      onClick={() => refusal === undefined && act?.()}
    >
      {name}
    </Button>
  );
}
