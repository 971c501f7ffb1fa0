import { SquareTerminal } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { pageActor } from '@/app/page-actor';
import { EmptyState } from '@/components/ui/empty-state';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { readLogin } from '@/lib/server/accounts/cli-login';
import { listProjectNames } from '@/lib/server/projects';
import { CliClient } from './cli-client';

export const metadata: Metadata = { title: 'Sign in a command' };

interface CliPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** The page that `callboard login` leads to. Without accounts there is no such page. */
export default async function CliPage({ searchParams }: CliPageProps) {
  const [{ code }, actor] = [await searchParams, await pageActor()];
  const { reach } = actor;
  if (reach === 'all' || reach.kind !== 'person') notFound();
  const found = await loginOrFault(actor, typeof code === 'string' ? code.slice(0, 20) : '');
  if (typeof found === 'string') {
    return (
      <div className="py-16">
        <EmptyState heading="h1" icon={<SquareTerminal aria-hidden />} title="No command waits for this">
          {found}
        </EmptyState>
      </div>
    );
  }
  const { projects } = await listProjectNames(actor, { limit: 200 });
  return <CliClient {...found} person={actor.by} projects={projects} isAdministrator={reach.isAdministrator} />;
}

async function loginOrFault(actor: Actor, code: string) {
  try {
    return await readLogin(actor, code);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') return error.message;
    throw error;
  }
}
