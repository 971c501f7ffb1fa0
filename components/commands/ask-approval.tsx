'use client';

import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { type ProjectTrust, waitingCommands } from '@/lib/client/project-trust';
import type { TrustAnswer, TrustServices } from '@/lib/editor/trust-session';
import { WaitingCommands } from './waiting-commands';

export type ApprovalServices = Pick<TrustServices, 'readTrust' | 'askCommands'>;

/** Why a start was refused. */
export interface StartFault {
  readonly message: string;
  /** True if an administrator has to approve what it starts. */
  readonly isUnapproved: boolean;
  /** The hash of the files that would run. Without it, the files of the draft would run. */
  readonly files?: string | undefined;
}

/** Says why a start was refused. If an administrator has to approve something, the person asks for it here, or approves it. */
export function StartFaultText(props: {
  readonly fault: StartFault | undefined;
  readonly services: ApprovalServices;
  /** Starts it again, once an administrator has approved it here. */
  readonly onApproved: () => void;
  readonly className?: string;
}) {
  const { fault, services, onApproved, className = 'text-sm' } = props;
  return (
    <>
      <p aria-live="polite" className={`text-bad empty:hidden ${className}`}>
        {fault?.message}
      </p>
      {fault?.isUnapproved === true && (
        <AskApproval key={fault.files} services={services} files={fault.files} then="run" onApproved={onApproved} />
      )}
    </>
  );
}

/** Lists what waits for an administrator, and asks for it. Administrators approve what is listed. */
export function AskApproval(props: {
  readonly services: ApprovalServices;
  /** The hash of the files. Without it, the approval is for the files of the draft. */
  readonly files: string | undefined;
  /** What `onApproved` does, as the button says it. */
  readonly then: 'run' | 'publish';
  /** Called once an administrator has approved here what waits. */
  readonly onApproved: () => void;
}) {
  const { services, files, then, onApproved } = props;
  const [answer, setAnswer] = useState<TrustAnswer>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isGone = false;
    void services.readTrust(files).then((read) => {
      if (!isGone) setAnswer(read);
    });
    return () => {
      isGone = true;
    };
  }, [services, files]);
  if (answer === undefined) return <p className="text-muted text-sm">Reading what waits…</p>;
  if (!answer.ok) return <p className="text-bad text-sm">{answer.message}</p>;
  const { trust } = answer;
  const waiting = waitingCommands(trust);
  const act = async () => {
    setBusy(true);
    const asked = await services.askCommands(trust.mayApprove ? waiting.map(({ id }) => id) : undefined, files);
    setAnswer(asked);
    setBusy(false);
    if (asked.ok && waitingCommands(asked.trust).length === 0) onApproved();
  };
  if (waiting.length === 0) {
    return <p className="text-muted text-sm">Nothing waits for an approval any more. Try again.</p>;
  }
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <WaitingCommands commands={waiting} />
      <Asked trust={trust} then={then} busy={busy} onAct={() => void act()} />
    </div>
  );
}

function Asked(props: {
  readonly trust: ProjectTrust;
  readonly then: 'run' | 'publish';
  readonly busy: boolean;
  readonly onAct: () => void;
}) {
  const { trust, then, busy, onAct } = props;
  const isAsked = !trust.mayApprove && waitingCommands(trust).every(({ status }) => status === 'asked');
  return isAsked ? (
    <p role="status" className="text-muted">
      An administrator was asked. Try again once it is approved.
    </p>
  ) : (
    <Button size="sm" busy={busy} onClick={onAct}>
      {!trust.mayApprove ? 'Ask an administrator' : then === 'run' ? 'Approve and run' : 'Approve'}
    </Button>
  );
}
