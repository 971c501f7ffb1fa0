import type { Metadata } from 'next';
import { headers } from 'next/headers';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { pageActor } from '@/app/page-actor';
import { SignOut } from '@/components/account/sign-out';
import { Page } from '@/components/shell/page';
import { readOwnAccount } from '@/lib/server/accounts/own-account';
import { listAllTokens, listOwnTokens } from '@/lib/server/accounts/tokens';
import { listProjectNames } from '@/lib/server/projects';
import { OwnSections } from './own-client';
import { AllTokens, OwnTokens } from './tokens-client';

export const metadata: Metadata = { title: 'Account' };

/** How a person gets in, and the person's tokens. Without accounts there is no such page. */
export default async function AccountPage() {
  const actor = await pageActor();
  const { reach } = actor;
  if (reach === 'all' || reach.kind !== 'person') notFound();
  const isHeld = reach.lacksSecondFactor === true;
  const isAdministrator = reach.isAdministrator && !isHeld;
  const request = { headers: new Headers(await headers()) };
  const [account, own, all, { projects }] = await Promise.all([
    readOwnAccount(actor, request),
    isHeld ? [] : listOwnTokens(actor),
    isAdministrator ? listAllTokens(actor) : undefined,
    listProjectNames(actor, { limit: 200 }),
  ]);
  return (
    <Page title="Account" description={`${reach.name} · ${actor.by}`}>
      <div className="flex max-w-3xl flex-col gap-6">
        <SignOut projects={projects}>
          {isAdministrator && (
            <Link href="/settings/people" className="text-accent text-sm hover:underline">
              People and invitations
            </Link>
          )}
        </SignOut>
        <OwnSections first={account} />
        {!isHeld && (
          <Section title="Tokens">
            <OwnTokens first={own} projects={projects} isAdministrator={isAdministrator} />
          </Section>
        )}
        {all !== undefined && (
          <Section title="Tokens of everybody" note="Administrators see how each begins, and may revoke it.">
            <AllTokens first={all} />
          </Section>
        )}
      </div>
    </Page>
  );
}

function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 flex flex-wrap items-baseline gap-x-2 font-medium text-ink text-sm">
        {title}
        {note && <span className="font-normal text-faint text-xs">{note}</span>}
      </h2>
      <div className="rounded-lg border bg-surface shadow-card">{children}</div>
    </section>
  );
}
