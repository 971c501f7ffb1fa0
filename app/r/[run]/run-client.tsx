'use client';

import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import type { ActionResult } from '@/app/action';
import { approvalServices, startFault } from '@/app/approval-services';
import { callAction, unwrapAction } from '@/app/call-action';
import { AccessContext } from '@/components/access/access-context';
import { KeyProjectContext } from '@/components/keys/key-context';
import { ProjectBar } from '@/components/project-bar/project-bar';
import type { AgainServices } from '@/components/run/again-services';
import type { RunLink } from '@/components/run/run-link';
import { RunView } from '@/components/run/run-view';
import type { ShareServices } from '@/components/run/share-services';
import { ScoresContext } from '@/components/scores/scores-context';
import type { ProjectAccess } from '@/lib/base/project-access';
import type { Score } from '@/lib/base/score';
import type { RunInfo } from '@/lib/client/run-info';
import { pin, startAgain, stop, unpin } from './actions';
import { listLinks, makeLink, revokeLink } from './share-actions';
import { useRunScores } from './use-run-scores';

export interface RunClientProps {
  readonly run: RunInfo;
  readonly link: RunLink;
  readonly scores: readonly Score[];
  /** Who reads the page: a mail address, or `local`. */
  readonly me: string;
  /** What the person may do in the project of the run. */
  readonly access: ProjectAccess;
}

export function RunClient({ run, link, scores, me, access }: RunClientProps) {
  const router = useRouter();
  const { id, projectId, projectName } = run;
  const keyProject = useMemo(() => ({ id: projectId, name: projectName }), [projectId, projectName]);
  const again = useMemo(() => againServices(id, projectId, router.push), [id, projectId, router]);
  const share = useMemo(() => shareServices(id), [id]);
  return (
    <AccessContext value={access}>
      <KeyProjectContext value={keyProject}>
        <ScoresContext value={useRunScores(id, me, scores)}>
          <div className="flex h-full min-h-0 flex-col max-md:h-auto">
            {/* The page of a run scrolls as a whole on a phone, where the bar stays. */}
            <div className="shrink-0 max-md:sticky max-md:top-0 max-md:z-20">
              <ProjectBar project={{ id: projectId, name: run.projectName }} access={access} current="runs" />
            </div>
            <div className="min-h-0 flex-1 max-md:flex-none">
              <RunView
                run={run}
                link={link}
                onStop={() => fault(() => stop({ run: id }))}
                again={again}
                share={access.rights.includes('edit') ? share : undefined}
                onReplaced={router.refresh}
              />
            </div>
          </div>
        </ScoresContext>
      </KeyProjectContext>
    </AccessContext>
  );
}

function againServices(run: string, project: string, show: (address: string) => void): AgainServices {
  return {
    async start(asked) {
      const started = await callAction(() => startAgain({ project, again: { ...asked, run } }));
      if (!started.ok) return startFault(started);
      show(`/r/${started.value}`);
      return undefined;
    },
    approval: approvalServices(project),
    pin: (seq, match) => fault(() => pin({ project, run, seq, match })),
    unpin: (id) => fault(() => unpin({ project, pin: id })),
  };
}

function shareServices(run: string): ShareServices {
  return {
    list: () => unwrapAction(() => listLinks({ run })),
    make: (choice) => unwrapAction(() => makeLink({ run, ...choice })),
    revoke: (link) => unwrapAction(() => revokeLink({ run, link })),
  };
}

/** Returns the sentence of a refusal, or `undefined`. */
async function fault(ask: () => Promise<ActionResult<unknown>>): Promise<string | undefined> {
  const answer = await callAction(ask);
  return answer.ok ? undefined : answer.message;
}
