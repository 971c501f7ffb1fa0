import { Mail, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { groupNames, noticeGroups } from '@/lib/base/notices';
import type { NoticeInfo, TargetInfo } from '@/lib/base/notification-info';

export interface NotificationTargetProps {
  readonly target: TargetInfo;
  /** Each resolves to false if it failed. */
  readonly onTest: () => Promise<boolean>;
  readonly onRemove: () => Promise<boolean>;
  /** Makes another secret. */
  readonly onRenew: () => Promise<boolean>;
}

/** An address that hears of questions, with the end of its latest notice and with those that failed. */
export function NotificationTarget({ target, onTest, onRemove, onRenew }: NotificationTargetProps) {
  const { kind, source, address, projectName, mayAnswer, groups, notices } = target;
  const [asked, setAsked] = useState<'remove' | 'renew'>();
  const [busy, setBusy] = useState(false);
  const Icon = kind === 'mail' ? Mail : Webhook;
  const name = address === '' ? 'Webhook of CALLBOARD_WEBHOOK_URL' : address;
  const about = [
    projectName === undefined ? 'Every project' : `Only ${projectName}`,
    noticeGroups
      .filter((group) => groups.includes(group))
      .map((group) => groupNames[group].toLowerCase())
      .join(', '),
    ...(source === 'environment' ? ['set by the environment'] : []),
    ...(mayAnswer ? ['may answer by link'] : []),
  ];
  const test = async () => {
    setBusy(true);
    await onTest();
    setBusy(false);
  };
  const shown = notices.filter(
    ({ state, error }, index) => index === 0 || (state === 'given up' && error !== undefined),
  );
  return (
    <li aria-label={name} className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="break-all font-medium text-ink text-sm">{name}</p>
        <p className="text-muted text-xs">{about.join(' · ')}</p>
        <ul aria-live="polite">
          {shown.map((notice) => (
            <NoticeLine key={notice.id} notice={notice} />
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" busy={busy} onClick={() => void test()}>
          Send a test
        </Button>
        {source === 'settings' && kind === 'webhook' && (
          <Button size="sm" variant="ghost" onClick={() => setAsked('renew')}>
            New secret
          </Button>
        )}
        {source === 'settings' && (
          <Button size="sm" variant="ghost" onClick={() => setAsked('remove')}>
            Remove
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={asked === 'renew' ? 'Make a new secret?' : 'Remove this address?'}
        confirm={asked === 'renew' ? 'Make a new secret' : 'Remove'}
        onConfirm={() => {
          setAsked(undefined);
          void (asked === 'renew' ? onRenew() : onRemove());
        }}
      >
        <p>
          {asked === 'renew'
            ? 'The receiver refuses notices until it has the new one.'
            : 'It gets no more notices, and links that were mailed to it answer nothing any more.'}
        </p>
      </ConfirmDialog>
    </li>
  );
}

function NoticeLine({ notice }: { readonly notice: NoticeInfo }) {
  const { isTest, state, attempts, at, error } = notice;
  const what = isTest ? 'Test' : 'Last notice';
  const isBad = error !== undefined;
  const words = {
    sent: `${what} sent`,
    waiting: attempts === 0 || !isBad ? `${what} is being sent` : `${what} failed ${attempts}× and will be tried again`,
    'given up': `${isTest ? 'Test' : 'A notice'} was not sent`,
  }[state];
  return (
    <li className={isBad ? 'break-words text-bad text-xs' : 'text-muted text-xs'}>
      {words} {state !== 'waiting' && <TimeAgo at={at} />}
      {isBad && `: ${error}`}
    </li>
  );
}
