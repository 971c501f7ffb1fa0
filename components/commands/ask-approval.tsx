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
}

/** Says why a start was refused. If an administrator has to approve something, the person asks for it here, or approves it. */
export function StartFaultText(props: {
  readonly fault: StartFault | undefined;
  readonly services: ApprovalServices;
  readonly className?: string;
}) {
  const { fault, services, className = 'text-sm' } = props;
  return (
    <>
      <p aria-live="polite" className={`text-bad empty:hidden ${className}`}>
        {fault?.message}
      </p>
      {fault?.isUnapproved === true && <AskApproval services={services} />}
    </>
  );
}

/** Lists what waits for an administrator, and asks for it. Administrators approve what is listed. */
export function AskApproval({ services }: { readonly services: ApprovalServices }) {
  const [answer, setAnswer] = useState<TrustAnswer>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isGone = false;
    void services.readTrust().then((read) => {
      if (!isGone) setAnswer(read);
    });
    return () => {
      isGone = true;
    };
  }, [services]);
  if (answer === undefined) return <p className="text-muted text-sm">Reading what waits…</p>;
  if (!answer.ok) return <p className="text-bad text-sm">{answer.message}</p>;
  const { trust } = answer;
  const waiting = waitingCommands(trust);
  const act = async () => {
    setBusy(true);
    setAnswer(await services.askCommands(trust.mayApprove ? waiting.map(({ id }) => id) : undefined));
    setBusy(false);
  };
  if (waiting.length === 0) {
    return (
      <p className="text-muted text-sm">
        Nothing of the files as they are now waits for an approval. Try again; recorded files may start something older.
      </p>
    );
  }
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <WaitingCommands commands={waiting} />
      <Asked trust={trust} busy={busy} onAct={() => void act()} />
    </div>
  );
}

function Asked({ trust, busy, onAct }: { trust: ProjectTrust; busy: boolean; onAct: () => void }) {
  const isAsked = !trust.mayApprove && waitingCommands(trust).every(({ status }) => status === 'asked');
  return isAsked ? (
    <p role="status" className="text-muted">
      An administrator was asked. Try again once it is approved.
    </p>
  ) : (
    <Button size="sm" busy={busy} onClick={onAct}>
      {trust.mayApprove ? 'Approve' : 'Ask an administrator'}
    </Button>
  );
}
