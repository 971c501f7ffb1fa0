'use client';

import {
  AlarmClock,
  ChartNoAxesGantt,
  ChevronDown,
  ChevronLeft,
  FlaskConical,
  GitBranch,
  GitCompareArrows,
  History,
  KeyRound,
  type LucideIcon,
  MessageSquare,
  MoreHorizontal,
  PencilRuler,
  Plug,
  Rocket,
  Scale,
  Search,
  ShieldCheck,
  Upload,
  Users,
} from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useMemo } from 'react';
import { useIsPaletteOpen, usePalette, usePaletteGroup } from '@/components/shell/palette-context';
import type { PaletteRow } from '@/components/shell/palette-store';
import { Button, buttonClass } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/components/ui/menu';
import { useMedia } from '@/components/ui/use-media';
import { VisibleText } from '@/components/ui/visible-text';
import type { ProjectAccess } from '@/lib/base/project-access';
import { editorHref } from '@/lib/client/project-address';
import { isOffered, morePlaces, type ProjectPageId, projectPages } from '@/lib/client/project-places';
import { type BarAction, type BarActions, barActions } from './bar-actions';

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
      <MoreMenu {...{ project, access, actions }}>{children}</MoreMenu>
      {isPaletteOpen && <BarRows {...{ project, access, current, draft, actions }} />}
    </header>
  );
}

const icons: Readonly<Record<string, LucideIcon>> = {
  editor: PencilRuler,
  chat: MessageSquare,
  runs: ChartNoAxesGantt,
  tests: FlaskConical,
  revisions: History,
  reviews: Scale,
  triggers: AlarmClock,
  members: Users,
  drafts: GitBranch,
  clone: Plug,
  mirror: GitCompareArrows,
  secrets: KeyRound,
  rules: ShieldCheck,
  Export: Upload,
  Publish: Rocket,
};

function BarIcon({ of }: { readonly of: string }) {
  const Icon = icons[of];
  return Icon === undefined ? null : <Icon aria-hidden className="size-4" />;
}

interface PagesProps {
  readonly project: { readonly id: string };
  readonly current: ProjectPageId | undefined;
  readonly draft: string;
}

/** The way to the editor keeps the draft that is shown. */
function hrefOf(page: (typeof projectPages)[number], { project, draft }: PagesProps): string {
  return page.id === 'editor' ? editorHref(project.id, draft) : page.href(project.id);
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
  return (
    <span className="ml-1 shrink-0 lg:hidden">
      <Menu
        trigger={
          <button
            type="button"
            aria-label={now === undefined ? 'Pages of the project' : `Pages of the project, ${now.name} is shown`}
            className="inline-flex h-7 cursor-pointer items-center gap-1 rounded px-2 font-medium text-accent text-sm hover:bg-hover data-[state=open]:bg-hover"
          >
            {now?.name ?? 'Pages'}
            <ChevronDown aria-hidden className="size-3.5" />
          </button>
        }
      >
        {projectPages.map((page) => (
          <MenuLink
            key={page.id}
            href={hrefOf(page, props)}
            icon={<BarIcon of={page.id} />}
            isCurrent={page.id === props.current}
          >
            {page.name}
          </MenuLink>
        ))}
      </Menu>
    </span>
  );
}

function ActionButton({ action }: { readonly action: BarAction }) {
  const { name, refusal, href, act, busy } = action;
  const icon = <BarIcon of={name} />;
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

function MoreMenu(props: {
  readonly project: { readonly id: string };
  readonly access: ProjectAccess;
  readonly actions: readonly BarAction[];
  readonly children: ReactNode;
}) {
  const { project, access, actions, children } = props;
  const isPhone = useMedia('(max-width: 639px)') === true;
  const palette = usePalette();
  const places = morePlaces.filter((place) => isOffered(place, access));
  return (
    <Menu
      align="end"
      trigger={<IconButton label="More of the project" icon={<MoreHorizontal aria-hidden />} tooltipSide="bottom" />}
    >
      {isPhone && (
        <>
          {actions.map((action) => (
            <ActionItem key={action.name} action={action} />
          ))}
          <MenuSeparator />
        </>
      )}
      {places.map(({ id, name, href }) => (
        <MenuLink key={id} href={href(project.id)} icon={<BarIcon of={id} />}>
          {name}
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Search aria-hidden />} keys="Mod+K" onSelect={() => palette.setOpen(true)}>
        Search everything
      </MenuItem>
      {children}
    </Menu>
  );
}

interface BarRowsProps extends PagesProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly access: ProjectAccess;
  readonly actions: readonly BarAction[];
}

/** The rows that the bar adds to the palette: the pages of the project and the buttons. */
function BarRows({ project, access, current, draft, actions }: BarRowsProps) {
  const group = useMemo(() => {
    const pages = projectPages.map((page) => ({ ...page, href: hrefOf(page, { project, current, draft }) }));
    const more = morePlaces
      .filter((place) => isOffered(place, access))
      .map((place) => ({ ...place, href: place.href(project.id) }));
    const places = [...pages, ...more].map(
      ({ id, name, words, href }): PaletteRow => ({ id, name, words, icon: <BarIcon of={id} />, does: { href } }),
    );
    const acts = actions
      .filter(({ refusal }) => refusal === undefined)
      .map(
        ({ name, words, href, act }): PaletteRow => ({
          id: name,
          name,
          words,
          icon: <BarIcon of={name} />,
          does: href === undefined ? () => act?.() : { href },
        }),
      );
    return { title: `Project ${project.name}`, place: 20, isShort: true, rows: [...places, ...acts] };
  }, [project, access, current, draft, actions]);
  usePaletteGroup('project', group);
  return null;
}

function ActionItem({ action: { name, href, act, refusal } }: { readonly action: BarAction }) {
  const icon = <BarIcon of={name} />;
  if (href !== undefined && refusal === undefined) {
    return (
      <MenuLink href={href} icon={icon}>
        {name}
      </MenuLink>
    );
  }
  return (
    <MenuItem icon={icon} disabled={refusal !== undefined} onSelect={() => act?.()}>
      {name}
    </MenuItem>
  );
}
