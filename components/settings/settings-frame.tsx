'use client';

import {
  Bell,
  Gauge,
  Hourglass,
  KeyRound,
  Lock,
  type LucideIcon,
  Palette,
  Power,
  Scale,
  ScrollText,
  Server,
  SquareTerminal,
  Users,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { Select } from '@/components/ui/select';
import {
  type SettingsGroup,
  type SettingsPage,
  type SettingsPageId,
  settingsPageAt,
  settingsPages,
  settingsSectionHref,
} from '@/lib/client/settings-pages';

interface SettingsFrameProps {
  /** The pages that the person may open. */
  readonly pages: readonly SettingsPageId[];
  readonly children: ReactNode;
}

const icons: Readonly<Record<SettingsPageId, LucideIcon>> = {
  keys: KeyRound,
  secrets: Lock,
  servers: Server,
  limits: Gauge,
  notifications: Bell,
  retention: Hourglass,
  people: Users,
  commands: SquareTerminal,
  policy: Scale,
  audit: ScrollText,
  appearance: Palette,
  environment: Power,
};

const groups: readonly SettingsGroup[] = ['This installation', 'This browser', 'Only at start'];

/** The frame of every page of Settings: the list of pages at the left, on a narrow screen a menu on top. */
export function SettingsFrame({ pages, children }: SettingsFrameProps) {
  const path = usePathname();
  const router = useRouter();
  const current = settingsPageAt(path);
  const shown = settingsPages.filter(({ id }) => pages.includes(id) || id === current?.id);
  useEffect(() => {
    const href = path === '/settings' ? settingsSectionHref(window.location.hash) : undefined;
    if (href !== undefined) router.replace(href);
  }, [path, router]);
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col md:flex-row">
      <div className="border-b px-4 py-2 md:hidden">
        <Select
          aria-label="Page of Settings"
          value={current?.href}
          onValueChange={(href) => router.push(href)}
          options={shown.map(({ href, title }) => ({ value: href, label: title }))}
        />
      </div>
      <nav aria-label="Settings" className="hidden w-52 shrink-0 py-7 pl-4 md:block">
        <div className="sticky top-7 flex flex-col gap-4">
          {groups.map((group) => (
            <PageGroup
              key={group}
              title={group}
              pages={shown.filter((each) => each.group === group)}
              current={current}
            />
          ))}
        </div>
      </nav>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

interface PageGroupProps {
  readonly title: string;
  readonly pages: readonly SettingsPage[];
  readonly current: SettingsPage | undefined;
}

function PageGroup({ title, pages, current }: PageGroupProps) {
  if (pages.length === 0) return null;
  return (
    <section aria-label={title}>
      <p aria-hidden className="mb-1 px-2 text-2xs text-muted">
        {title}
      </p>
      <ul className="flex flex-col gap-px">
        {pages.map(({ id, href, title: name }) => {
          const Icon = icons[id];
          return (
            <li key={id}>
              <Link
                href={href}
                aria-current={id === current?.id ? 'page' : undefined}
                className="flex items-center gap-2 rounded px-2 py-1.5 text-muted text-sm hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
              >
                <Icon aria-hidden className="size-4 shrink-0" />
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
