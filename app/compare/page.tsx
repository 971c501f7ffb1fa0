import type { Metadata } from 'next';
import { runId } from '@/app/api/run-id';
import { pageActor } from '@/app/page-actor';
import { toRunInfo } from '@/app/run-info';
import { type CompareLink, linkNames } from '@/components/compare/compare-link';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { readAccess } from '@/lib/server/project-access';
import { getRun } from '@/lib/server/runs';
import { pageUnits } from '@/lib/trace/text-pages';
import { CompareClient, type OpenedRun } from './compare-client';

export const metadata: Metadata = { title: 'Compare runs' };

interface ComparePageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Compares the runs `a` and `b`. With one run it asks for the other. */
export default async function ComparePage({ searchParams }: ComparePageProps) {
  const [actor, asked] = [await pageActor(), await searchParams];
  const [a, b] = await Promise.all([open(actor, one(asked.a)), open(actor, one(asked.b))]);
  const link: CompareLink = Object.fromEntries(linkNames.map((name) => [name, one(asked[name])]));
  return <CompareClient key={`${a?.run.id} ${b?.run.id}`} a={a} b={b} link={link} />;
}

/** Returns `undefined` for no run, and for one that is not there. */
async function open(actor: Actor, run: string | undefined): Promise<OpenedRun | undefined> {
  if (run === undefined) return undefined;
  try {
    const found = await getRun(actor, runId({ run }), pageUnits);
    return { run: toRunInfo(found), access: await readAccess(actor, found.projectId) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
