'use client';

import { useEffect } from 'react';
import type { RunLink } from '@/components/run/run-link';
import { RunView } from '@/components/run/run-view';
import type { RunInfo } from '@/lib/client/run-info';
import { isLinkOver } from '@/lib/client/shared-run';

interface SharedRunClientProps {
  readonly run: RunInfo;
  readonly link: RunLink;
  readonly texts: boolean;
}

/** A page of a link that was revoked, or has expired, shows so within this time. */
const checkMs = 4_000;

/** The page of a run without anything that changes it or leads away from it. */
export function SharedRunClient({ run, link, texts }: SharedRunClientProps) {
  useEffect(() => {
    const timer = setInterval(async () => {
      if (!(await isLinkOver(run.id))) return;
      clearInterval(timer);
      location.reload();
    }, checkMs);
    return () => clearInterval(timer);
  }, [run.id]);
  return <RunView run={run} link={link} sight={texts ? 'run' : 'bare'} onReplaced={() => location.reload()} />;
}
