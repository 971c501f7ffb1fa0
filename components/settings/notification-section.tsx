'use client';

import Link from 'next/link';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { useLatest } from '@/components/ui/use-latest';
import type { NotificationState } from '@/lib/base/notification-info';
import { NotificationForm } from './notification-form';
import { NotificationTarget } from './notification-target';
import type { NotificationServices } from './notification-types';
import { TellLineForm } from './tell-line-form';

export interface NotificationSectionProps {
  /** `undefined` if the database could not be read. */
  readonly first: NotificationState | undefined;
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly services: NotificationServices;
}

/** Lists the webhooks and mail addresses that are told of things, with what became of the latest notices, and adds others. */
export function NotificationSection(props: NotificationSectionProps) {
  const { first } = props;
  if (first === undefined)
    return <p className="px-4 py-3 text-muted text-sm">The addresses cannot be read now. Load the page again.</p>;
  return <Targets {...props} first={first} />;
}

function Targets({ first, projects, services }: NotificationSectionProps & { readonly first: NotificationState }) {
  const [state, setState] = useState(first);
  const [fault, setFault] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const attempt = async (work: () => Promise<{ readonly secret: string } | undefined>) => {
    setFault(undefined);
    try {
      setSecret((await work())?.secret);
      setState(await services.read());
      return true;
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  useFreshNotices(state, services.read, setState);
  return (
    <div className="divide-y">
      {state.targets.length === 0 && (
        <p className="px-4 py-3 text-muted text-sm">
          No webhook or mail address is notified yet. A webhook or a mail address can get questions (who asks, for which
          tool, and where to answer) and what else you choose. Your own notices are on the page{' '}
          <Link href="/notices" className="text-accent underline underline-offset-2">
            Notices
          </Link>
          .
        </p>
      )}
      <ul aria-label="Notifications" className="divide-y">
        {state.targets.map((target) => (
          <NotificationTarget
            key={target.id}
            target={target}
            onTest={() => attempt(async () => void (await services.test(target.id)))}
            onRemove={() => attempt(async () => void (await services.remove(target.id)))}
            onRenew={() => attempt(() => services.renewSecret(target.id))}
          />
        ))}
      </ul>
      <NotificationForm
        projects={projects}
        mailServer={state.mailServer}
        publicUrl={state.publicUrl}
        onWebhook={(url, of) => attempt(() => services.addWebhook(url, of))}
        onMail={(address, of, mayAnswer) => attempt(async () => void (await services.addMail(address, of, mayAnswer)))}
      />
      {projects.length > 0 && <TellLineForm projects={projects} services={services} />}
      {fault !== undefined && (
        <p role="alert" className="px-4 py-2 text-bad text-sm">
          {fault}
        </p>
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  );
}

function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Secret of the webhook"
      description="Give it to the receiver, which checks signatures with it (Standard Webhooks). It is not shown again."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="flex items-center gap-2">
        <code className="min-w-0 flex-1 break-all rounded border bg-sunken px-2 py-1 text-xs">{secret}</code>
        <CopyButton text={secret} label="Copy secret" />
      </p>
    </Dialog>
  );
}

const lookAgainMs = 1_000;
/** A first attempt that hangs ends after 15 seconds. */
const mostLooks = 20;

/** Reads the state again while a notice waits for its first attempt, which workers begin within a second. */
function useFreshNotices(
  state: NotificationState,
  read: NotificationServices['read'],
  onState: (state: NotificationState) => void,
): void {
  const [looks, setLooks] = useState(0);
  const take = useLatest(onState);
  const first = state.targets.flatMap(({ notices }) =>
    notices.filter((notice) => notice.isTest && notice.state === 'waiting' && notice.error === undefined),
  );
  const key = first.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another notice is looked for anew
  useEffect(() => setLooks(0), [key]);
  useEffect(() => {
    if (key === '' || looks >= mostLooks) return;
    const timer = setTimeout(() => {
      void read()
        .then(take)
        .catch(() => undefined)
        .finally(() => setLooks(looks + 1));
    }, lookAgainMs);
    return () => clearTimeout(timer);
  }, [key, looks, read, take]);
}
