'use client';

import Link from 'next/link';
import { useEffect } from 'react';
import { usePartUses, usePartUsesActions } from '@/components/editor-state/part-uses-context';
import { useProject } from '@/components/editor-state/project-context';
import type { PartUse } from '@/lib/base/uses';
import { type AskedPart, partKey } from '@/lib/editor/part-uses';
import { Group } from './group';

/** Where else a part is used, as it was saved last: drafts, what is live, tests, approvals, other projects. */
export function UsedBy({ kind, name }: AskedPart) {
  const { look } = usePartUsesActions();
  const version = useProject((state) => state.saved.version);
  const known = usePartUses((state) => state.known.get(partKey({ kind, name })));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was saved may have changed it
  useEffect(() => look({ kind, name }), [look, kind, name, version]);
  if (known === undefined) return null;
  const { uses, grants, unread } = known;
  if (uses.length === 0 && grants === 0) return null;
  return (
    <Group title="Where it is used">
      <ul aria-label="Where it is used" className="flex flex-col gap-2 text-sm">
        {uses.map((use) => (
          <Use key={`${use.project} ${use.places.join()}`} use={use} isAgent={kind === 'agent'} />
        ))}
      </ul>
      {grants > 0 && (
        <p className="text-muted text-xs">
          {grants === 1 ? 'One remembered approval' : `${grants} remembered approvals`} in this project.
        </p>
      )}
      {unread > 0 && <p className="text-muted text-xs">{unread} further projects were not looked into yet.</p>}
    </Group>
  );
}

function Use({ use, isAgent }: { readonly use: PartUse; readonly isAgent: boolean }) {
  const { project, projectName, isOwn, places, agents, tests, isSame, runs } = use;
  const users = agents.includes('*') ? 'every agent' : agents.join(', ');
  const facts = [
    ...(users === '' ? [] : [isAgent ? `called by ${users}` : users]),
    ...(tests.length > 0 ? [`${tests.length === 1 ? 'test' : 'tests'} ${tests.join(', ')}`] : []),
    ...(runs > 0 ? [`${runs} ${runs === 1 ? 'run' : 'runs'} in 30 days`] : []),
    ...(isSame ? [] : ['with other content']),
  ];
  return (
    <li className="min-w-0 break-words">
      {isOwn ? (
        <span className="text-ink">{places.join(', ')}</span>
      ) : (
        <>
          <Link href={`/p/${project}`} className="text-accent underline underline-offset-2">
            {projectName}
          </Link>
          <span className="text-ink">: {places.join(', ')}</span>
        </>
      )}
      {facts.length > 0 && <span className="block text-muted text-xs">{facts.join(' · ')}</span>}
    </li>
  );
}
