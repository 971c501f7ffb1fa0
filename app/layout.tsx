import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '@/components/shell/providers';
import { Shell } from '@/components/shell/shell';
import { themeScript } from '@/components/shell/theme-script';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { decide } from '@/lib/base/rights';
import { accountsAreOn } from '@/lib/server/settings/process-env';
import { ownPrices } from '@/lib/trace/own-prices';
import './globals.css';
import { KeyServicesProvider } from './key-services';
import { metNeeds } from './met-needs';
import { askedBy } from './page-actor';
import { PeopleServicesProvider } from './people-services';

export const metadata: Metadata = {
  title: { default: 'Callboard', template: '%s · Callboard' },
  description: 'Draw agent graphs, run them, and see where the time went.',
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f7f9' },
    { media: '(prefers-color-scheme: dark)', color: '#0d0f14' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const actor = await askingActor();
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, allowed by nonce
          dangerouslySetInnerHTML={{ __html: themeScript }}
        />
      </head>
      <body>
        <Providers prices={ownPrices()}>
          <PeopleServicesProvider>
            <KeyServicesProvider everywhere={setsKeysEverywhere(actor)}>
              <Shell person={nameOf(actor)} met={metNeeds(actor)}>
                {children}
              </Shell>
            </KeyServicesProvider>
          </PeopleServicesProvider>
        </Providers>
      </body>
    </html>
  );
}

/** Returns the name of the person who is signed in, where people have accounts. */
function nameOf(actor: Actor | undefined): string | undefined {
  const reach = accountsAreOn() ? actor?.reach : undefined;
  return typeof reach === 'object' && reach.kind === 'person' ? reach.name : undefined;
}

/** Whether the person sets keys of every project; `undefined` for strangers, such as readers of a share link. */
function setsKeysEverywhere(actor: Actor | undefined): boolean | undefined {
  return actor && decide(actor.reach, 'secrets.set', null) === 'allowed';
}

/** A page without its database still has its frame. */
async function askingActor(): Promise<Actor | undefined> {
  try {
    return await askedBy();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
