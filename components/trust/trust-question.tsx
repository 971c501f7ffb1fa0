'use client';

import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAccess } from '@/components/access/access-context';
import { WaitingCommands } from '@/components/commands/waiting-commands';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useTrust, useTrustActions } from '@/components/editor-state/trust-context';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { type ProjectAccess, whyNot } from '@/lib/base/project-access';
import { type ProjectTrust, type TrustItem, waitingCommands } from '@/lib/client/project-trust';
import { CapabilityGroups } from './capability-groups';

/** Shows what a run would start or call, and asks whether it may. */
export function TrustQuestion() {
  const { open, trust, confirming, error } = useTrust((state) => state);
  const dirty = useProject((state) => state.dirty);
  const actions = useTrustActions();
  const { openFile } = useActions();
  const access = useAccess();
  if (open === undefined) return null;
  const confirms = trust === undefined || trust.state === 'unconfirmed';
  const waiting = trust === undefined ? [] : waitingCommands(trust);
  const isAsked = waiting.length > 0 && waiting.every(({ status }) => status === 'asked') && !trust?.mayApprove;
  const refusal = refusalOf(access, confirms, trust);
  const asks = refusal === undefined && (confirms || (waiting.length > 0 && !isAsked));
  const goTo = ({ file, line }: { readonly file: string; readonly line: number }) => {
    actions.lookOnly();
    openFile(file, { line, column: 1 });
  };
  return (
    <Dialog
      open
      width="md"
      onOpenChange={actions.lookOnly}
      title={titleOf(confirms, trust)}
      description={describe(trust)}
      footer={
        asks ? (
          <>
            <Button onClick={actions.lookOnly}>Look only</Button>
            <Button
              variant="primary"
              busy={confirming}
              disabled={trust === undefined}
              onClick={() => void actions.confirm()}
            >
              {labelOf(open, confirms, trust)}
            </Button>
          </>
        ) : (
          <Button onClick={actions.lookOnly}>Close</Button>
        )
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        {error === undefined ? null : (
          <p role="alert" className="flex items-start gap-2 rounded bg-bad-soft px-3 py-2 text-bad">
            <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
            {error}
          </p>
        )}
        {refusal === undefined ? null : <p className="rounded bg-busy-soft px-3 py-2 text-ink">{refusal}</p>}
        {dirty ? <p className="text-muted">Unsaved changes are not in this list. Save to see them here.</p> : null}
        {trust === undefined ? (
          error === undefined && <p className="text-muted">Reading the folder…</p>
        ) : (
          <>
            {waiting.length === 0 ? null : <WaitingCommands commands={waiting} />}
            <Listed trust={trust} onGoTo={goTo} />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Returns why the person may not answer the dialog, or `undefined`. */
export function refusalOf(
  access: ProjectAccess,
  confirms: boolean,
  trust: Pick<ProjectTrust, 'commands' | 'mayApprove'> | undefined,
): string | undefined {
  if (confirms) return whyNot(access, 'project.trust');
  const asksOthers = trust !== undefined && waitingCommands(trust).length > 0 && !trust.mayApprove;
  return asksOthers ? whyNot(access, 'run.start') : undefined;
}

function titleOf(confirms: boolean, trust: ProjectTrust | undefined): string {
  if (confirms) return 'Trust this folder?';
  if (trust === undefined || waitingCommands(trust).length === 0) return 'What this folder starts or calls';
  return trust.mayApprove ? 'Approve what this folder starts?' : 'This needs an administrator';
}

function labelOf(open: 'run' | 'review', confirms: boolean, trust: ProjectTrust | undefined): string {
  if (trust === undefined || waitingCommands(trust).length === 0) return open === 'run' ? 'Trust and run' : 'Trust';
  if (!trust.mayApprove) return confirms ? 'Trust, and ask an administrator' : 'Ask an administrator';
  return open === 'run' ? 'Approve and run' : 'Approve';
}

function describe(trust: ProjectTrust | undefined): ReactNode {
  if (trust !== undefined && trust.state !== 'unconfirmed' && waitingCommands(trust).length > 0) {
    return trust.mayApprove
      ? 'It would start something that no administrator has approved. A change asks again.'
      : 'It would start something that an administrator has to approve first. Nothing has been started. Run it again once it is approved.';
  }
  switch (trust?.state) {
    case 'own':
      return 'This folder is your own, so its runs start without a question.';
    case 'nothing':
      return 'Nothing: no program, no address, no variable. Its runs start without a question.';
    case 'confirmed':
      return 'You have confirmed all of it. A change asks again.';
    default:
      return trust?.confirmedAt === undefined
        ? 'It came from elsewhere. A run would start and call what is listed here, with your rights on this machine. Nothing has been started yet.'
        : 'It would start or call something that nobody has confirmed. Runs wait for your answer.';
  }
}

function Listed(props: { readonly trust: ProjectTrust; readonly onGoTo: (item: TrustItem) => void }) {
  const { items, models, state, confirmedAt } = props.trust;
  const isAgain = state === 'unconfirmed' && confirmedAt !== undefined;
  const fresh = isAgain ? items.filter(({ change }) => change !== 'confirmed') : items;
  const known = isAgain ? items.filter(({ change }) => change === 'confirmed') : [];
  return (
    <>
      {isAgain ? (
        <p className="text-muted">
          Since it was confirmed <TimeAgo at={confirmedAt} />, this is new or has changed:
        </p>
      ) : null}
      <CapabilityGroups items={fresh} marked={isAgain} onGoTo={props.onGoTo} />
      {known.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer rounded-sm text-muted hover:text-ink">
            Confirmed before: {known.length}
          </summary>
          <div className="pt-3">
            <CapabilityGroups items={known} marked={false} onGoTo={props.onGoTo} />
          </div>
        </details>
      )}
      <p className="text-muted text-xs">
        {models.length === 0 ? null : (
          <>
            Models it names: {[...new Set(models.map(({ model }) => model))].join(', ')}. Each is called at the address
            above that names its provider, otherwise with the settings of this installation.{' '}
          </>
        )}
        TypeScript and JavaScript tools and hooks run in a sandbox and are not listed.
      </p>
    </>
  );
}
