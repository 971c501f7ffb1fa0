import type { ReactNode } from 'react';
import { settingsPagesOf } from '@/app/settings-pages-of';
import { Page } from '@/components/shell/page';
import type { Actor } from '@/lib/base/actor';
import { type SettingsPageId, settingsPages } from '@/lib/client/settings-pages';

/** Returns the heading of a page of Settings. */
export function titleOf(id: SettingsPageId): string {
  return settingsPages.find((each) => each.id === id)?.title ?? '';
}

interface SettingsPageProps {
  readonly id: SettingsPageId;
  readonly description: string;
  readonly children: ReactNode;
}

/** A page of Settings with its heading. */
export function SettingsPage({ id, description, children }: SettingsPageProps) {
  return (
    <Page title={titleOf(id)} description={description}>
      <div className="max-w-3xl">{children}</div>
    </Page>
  );
}

/** The page in place of one that somebody may not see; `undefined` if they may. */
export function refusedPage(actor: Actor, id: SettingsPageId, description: string): ReactNode | undefined {
  if (settingsPagesOf(actor).includes(id)) return undefined;
  return (
    <SettingsPage id={id} description={description}>
      <p className="text-muted text-sm">This page is for others. Ask an administrator of this installation.</p>
    </SettingsPage>
  );
}
