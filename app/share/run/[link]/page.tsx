import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { preload } from 'react-dom';
import { toRunInfo } from '@/app/run-info';
import { sharedPath, shareTokenOf } from '@/app/share/share-gate';
import { linkNames, type RunLink } from '@/components/run/run-link';
import { AppError } from '@/lib/base/app-error';
import { escapeHidden } from '@/lib/base/escape-hidden';
import { whoAsks } from '@/lib/server/accounts/who-asks';
import { getRun } from '@/lib/server/runs';
import { pageUnits } from '@/lib/trace/text-pages';
import { SharedRunClient } from './shared-run-client';

interface SharedPageProps {
  readonly params: Promise<{ readonly link: string }>;
  readonly searchParams: Promise<{ readonly [Name in keyof RunLink]: string | string[] }>;
}

/** Opens the run of a link for whoever has its cookie. `proxy.ts` answers everybody else; a request past it finds nothing. */
const open = cache(async (link: string) => {
  const token = shareTokenOf(await headers(), link);
  if (token === undefined) notFound();
  try {
    const actor = await whoAsks({ method: 'GET', headers: new Headers({ Authorization: `Bearer ${token}` }) });
    if (actor === undefined || actor.reach === 'all' || actor.reach.kind !== 'share') notFound();
    const { run, texts } = actor.reach;
    return { run: await getRun(actor, run, pageUnits), texts };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'not_signed_in')) notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: SharedPageProps): Promise<Metadata> {
  const { run } = await open((await params).link);
  return {
    title: escapeHidden(`${run.entryAgent ?? 'Run'} · shared`),
    robots: { index: false, follow: false },
    referrer: 'no-referrer',
  };
}

export default async function SharedRunPage({ params, searchParams }: SharedPageProps) {
  const { link: id } = await params;
  const { run, texts } = await open(id);
  const asked = await searchParams;
  preload(`${sharedPath(id)}/api/timeline`, { as: 'fetch', crossOrigin: 'anonymous' });
  const link: RunLink = Object.fromEntries(linkNames.map((name) => [name, one(asked[name])]));
  return <SharedRunClient run={{ ...toRunInfo(run), projectId: '' }} link={link} texts={texts} />;
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
