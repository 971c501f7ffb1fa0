import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '@/components/shell/providers';
import { Shell } from '@/components/shell/shell';
import { themeScript } from '@/components/shell/theme-script';
import './globals.css';
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
        <Providers>
          <PeopleServicesProvider>
            <Shell>{children}</Shell>
          </PeopleServicesProvider>
        </Providers>
      </body>
    </html>
  );
}
