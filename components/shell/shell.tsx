'use client';

import { ChartNoAxesGantt, CircleUser, LayoutGrid, Moon, Search, Settings, Sun } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { later } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import { Tooltip } from '@/components/ui/tooltip';
import type { PlaceNeed } from '@/lib/client/app-places';
import { AppPalette } from './app-palette';
import { InboxLink } from './inbox-link';
import { Logo } from './logo';
import { NoticesLink } from './notices-link';
import { usePalette } from './palette-context';
import { SignedOutNotice } from './signed-out-notice';
import { useTheme, useThemeOnDocument } from './theme';
import { useReachNotice } from './use-reach-notice';

const ThemeMenu = later(
  async () => (await import('./theme-menu')).ThemeMenu,
  ({ trigger }) => trigger,
);

const places = [
  { href: '/', label: 'Projects', icon: LayoutGrid, owns: (path: string) => path === '/' || path.startsWith('/p/') },
  {
    href: '/runs',
    label: 'Runs',
    icon: ChartNoAxesGantt,
    owns: (path: string) => path.startsWith('/runs') || path.startsWith('/r/') || path === '/compare',
  },
] as const;

const item =
  'flex cursor-pointer flex-row items-center justify-center gap-1 rounded px-1 py-1.5 text-2xs text-muted transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent data-[state=open]:bg-hover min-[28rem]:gap-1.5 min-[28rem]:px-2 sm:w-14 sm:flex-col sm:gap-1 sm:px-0 [&>svg]:size-4.5';

interface ShellProps {
  /** The name of the person, where people have accounts. */
  readonly person: string | undefined;
  /** What the person meets of what places need, for the command palette. */
  readonly met: readonly PlaceNeed[];
  readonly children: ReactNode;
}

/**
 * The frame of every page: a rail on the left, or on a phone a bar on top. The page gets the rest and scrolls inside
 * `main`. Pages that fill it (editor, run) use `h-full`.
 */
export function Shell({ person, met, children }: ShellProps) {
  const path = usePathname();
  useThemeOnDocument();
  useReachNotice();
  if (path.startsWith('/share/')) return <SharedFrame>{children}</SharedFrame>;
  return (
    <AppPalette met={met}>
      <div className="flex h-dvh flex-col sm:flex-row">
        <a
          href="#main"
          className="fixed top-2 left-2 z-50 -translate-y-16 rounded border bg-raised px-3 py-1.5 text-ink text-sm focus:translate-y-0 focus:shadow-pop"
        >
          Skip to content
        </a>
        <nav
          aria-label="Main"
          className="flex shrink-0 items-center border-b bg-surface px-2 py-1 min-[28rem]:gap-1 sm:w-17 sm:gap-1 sm:flex-col sm:border-r sm:border-b-0 sm:px-0 sm:py-3"
        >
          <Link
            href="/"
            aria-label="Callboard"
            className="mr-1 flex size-8 items-center justify-center rounded sm:mr-0 sm:mb-3"
          >
            <Logo className="size-7" />
          </Link>
          <SearchButton />
          {places.map((place) => (
            <Link
              key={place.href}
              href={place.href}
              aria-current={place.owns(path) ? 'page' : undefined}
              className={item}
            >
              <place.icon aria-hidden />
              <span className="max-[22.5rem]:sr-only">{place.label}</span>
            </Link>
          ))}
          <InboxLink path={path} className={item} />
          <span className="flex-1" />
          <NoticesLink path={path} className={item} />
          <ThemeButton />
          {person !== undefined && (
            <Link
              href="/account"
              title={person}
              aria-current={path.startsWith('/account') ? 'page' : undefined}
              className={item}
            >
              <CircleUser aria-hidden />
              <span className="sr-only sm:not-sr-only">Account</span>
            </Link>
          )}
          <Link href="/settings" aria-current={path.startsWith('/settings') ? 'page' : undefined} className={item}>
            <Settings aria-hidden />
            <span className="sr-only sm:not-sr-only">Settings</span>
          </Link>
        </nav>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {person !== undefined && <SignedOutNotice path={path} />}
          <main id="main" tabIndex={-1} className="relative min-h-0 min-w-0 flex-1 overflow-auto outline-none">
            {children}
          </main>
        </div>
      </div>
    </AppPalette>
  );
}

/** Opens the command palette. A phone has no room for it in its bar: there the menu of a project has it. */
function SearchButton() {
  const palette = usePalette();
  return (
    <Tooltip text="Search commands, pages, settings and projects" keys="Mod+K" side="right">
      <button
        type="button"
        aria-haspopup="dialog"
        className={`${item} max-sm:hidden`}
        onClick={() => palette.setOpen(true)}
      >
        <Search aria-hidden />
        <span>Search</span>
      </button>
    </Tooltip>
  );
}

/** The frame of a page that somebody without an account may see: it leads nowhere. */
function SharedFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex shrink-0 items-center gap-2 border-b bg-surface px-3 py-1">
        <Logo className="size-6" />
        <span className="font-semibold text-ink text-sm">Callboard</span>
        <span className="flex-1" />
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1} className="relative min-h-0 min-w-0 flex-1 overflow-auto outline-none">
        {children}
      </main>
    </div>
  );
}

function ThemeButton() {
  const { theme } = useTheme();
  const button = (
    <button type="button" className={item}>
      {theme === 'dark' ? <Moon aria-hidden /> : <Sun aria-hidden />}
      <span className="sr-only sm:not-sr-only">Theme</span>
    </button>
  );
  return (
    <LaterMenu button={button} load={ThemeMenu.load}>
      {(trigger) => <ThemeMenu trigger={trigger} />}
    </LaterMenu>
  );
}
