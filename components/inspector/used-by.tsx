'use client';

import Link from 'next/link';
import { useEffect, useState } from 'react';
import { usePartUses, usePartUsesActions } from '@/components/editor-state/part-uses-context';
import { useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { VisibleText } from '@/components/ui/visible-text';
import type { AskedPart, PartUse, PartUses } from '@/lib/base/uses';
import { partKey } from '@/lib/editor/part-uses';
import { isUsedElsewhere } from '@/lib/editor/uses-words';
import { Group } from './group';

const title = 'Where it is used';

/** Where else a part is used, as it was saved last: drafts, what is live, tests, approvals, other projects. */
export function UsedBy(part: AskedPart) {
  return (
    <Group title={title}>
      <PartUsesLines {...part} />
    </Group>
  );
}

/** The same for several parts, which are read when they are opened. */
export function UsedByEach({ parts }: { readonly parts: readonly AskedPart[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {parts.map((part) => (
        <li key={partKey(part)}>
          <OpenedUses {...part} />
        </li>
      ))}
    </ul>
  );
}

function OpenedUses(part: AskedPart) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="text-sm" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit max-w-full cursor-pointer break-words text-muted text-xs hover:text-ink">
        Where{' '}
        <span className="text-ink">
          <VisibleText text={part.name} />
        </span>{' '}
        is used
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-2 pt-1 pl-3">
          <PartUsesLines {...part} />
        </div>
      )}
    </details>
  );
}

function PartUsesLines({ kind, name }: AskedPart) {
  const { look, lookAgain } = usePartUsesActions();
  const version = useProject((state) => state.saved.version);
  const draft = useProject((state) => state.draft);
  const known = usePartUses((state) => state.known.get(partKey({ kind, name })));
  const isFailed = usePartUses((state) => state.failed.has(partKey({ kind, name })));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was saved may have changed it
  useEffect(() => look({ kind, name }), [look, kind, name, version]);
  return (
    <UsesLines
      kind={kind}
      draft={draft}
      uses={known?.uses}
      isFailed={isFailed}
      onAgain={() => lookAgain({ kind, name })}
    />
  );
}

/** What is known of the uses, or that nothing is known yet, or that it could not be read. */
export function UsesLines(props: {
  readonly kind: AskedPart['kind'];
  readonly draft: string;
  readonly uses: PartUses | undefined;
  readonly isFailed: boolean;
  readonly onAgain: () => void;
}) {
  const { kind, draft, uses: known, isFailed } = props;
  if (isFailed) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-muted text-xs">
        This could not be read.
        <Button size="sm" onClick={props.onAgain}>
          Try again
        </Button>
      </p>
    );
  }
  if (known === undefined) return <p className="text-faint text-xs">Looking…</p>;
  const { uses, grants, unread, earlierRuns } = known;
  return (
    <>
      {isUsedElsewhere(known, draft) ? (
        <ul aria-label={title} className="flex flex-col gap-2 text-sm">
          {uses.map((use) => (
            <Use key={`${use.project} ${use.places.join()}`} use={use} isAgent={kind === 'agent'} />
          ))}
        </ul>
      ) : (
        <p className="text-muted text-xs">Used nowhere else.</p>
      )}
      {grants > 0 && (
        <p className="text-muted text-xs">
          {grants === 1 ? 'One remembered approval' : `${grants} remembered approvals`} in this project.
        </p>
      )}
      {earlierRuns > 0 && (
        <p className="text-muted text-xs">
          {earlierRuns === 1 ? 'One run' : `${earlierRuns} runs`} of earlier files in 30 days.
        </p>
      )}
      {unread > 0 && <p className="text-muted text-xs">{unread} further sets of files were not looked into yet.</p>}
    </>
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
            <VisibleText text={projectName} />
          </Link>
          <span className="text-ink">: {places.join(', ')}</span>
        </>
      )}
      {facts.length > 0 && <span className="block text-muted text-xs">{facts.join(' · ')}</span>}
    </li>
  );
}
