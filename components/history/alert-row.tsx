import { BellOff, BellRing, CircleCheck, CircleDashed, Clock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import { type AlertInfo, alertState } from '@/lib/trace/alert-info';
import { alertFigureNames, alertSubject, alertValueWords, alertWindowWords, callsWord } from '@/lib/trace/alert-words';
import { looksBack } from '@/lib/trace/alerts';
import { formatCount } from '@/lib/trace/wording';

export interface AlertRowProps {
  readonly alert: AlertInfo;
  readonly onEdit: () => void;
  readonly onSwitch: () => void;
  readonly onRemove: () => void;
  /** The form, while the alert is changed. */
  readonly children: ReactNode;
}

/** An alert: its line, its state, its figure now, and what can be done with it. */
export function AlertRow({ alert, onEdit, onSwitch, onRemove, children }: AlertRowProps) {
  const [asks, setAsks] = useState(false);
  const { figure, threshold, enabled, mayChange, projectName, least } = alert;
  const title = `${alertFigureNames[figure]} above ${alertValueWords(figure, threshold)}`;
  const subject = alertSubject(alert, projectName);
  const among = looksBack(figure) ? `, of at least ${formatCount(least)} ${callsWord(alert, least)}` : '';
  return (
    <li aria-label={`${title}, ${subject}`}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-3 py-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium text-ink text-sm">{title}</p>
          <p className="break-words text-muted text-xs">
            <VisibleText text={`${subject} ${alertWindowWords(alert, alert.checkedAt)}${among}`} />
          </p>
        </div>
        <p className="sm:min-w-24 sm:text-right text-ink text-sm tabular-nums">
          <span className="mr-1 text-muted text-xs">now</span>
          <Now alert={alert} />
        </p>
        <div className="sm:min-w-40">
          <State alert={alert} />
        </div>
        {mayChange ? (
          <div className="flex flex-wrap gap-1 lg:w-56 lg:justify-end">
            <Button size="sm" variant="ghost" onClick={onEdit}>
              Change
            </Button>
            <Button size="sm" variant="ghost" onClick={onSwitch}>
              {enabled ? 'Switch off' : 'Switch on'}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setAsks(true)}>
              Remove
            </Button>
          </div>
        ) : (
          // The columns of all alerts are in line.
          <div className="w-56 max-lg:hidden" />
        )}
      </div>
      {children}
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Remove this alert?"
        confirm="Remove"
        onConfirm={() => {
          setAsks(false);
          onRemove();
        }}
      >
        <p>Nobody is notified of it any more. Notices that were sent stay.</p>
      </ConfirmDialog>
    </li>
  );
}

function Now({ alert }: { readonly alert: AlertInfo }) {
  const { figure, value, calls, enabled, checkedAt } = alert;
  if (!enabled || checkedAt === undefined || value === undefined) return '–';
  const words = `${formatCount(calls)} ${callsWord(alert, calls)}`;
  return <span title={words}>{alertValueWords(figure, value)}</span>;
}

function State({ alert }: { readonly alert: AlertInfo }) {
  switch (alertState(alert)) {
    case 'off':
      return <Badge icon={<BellOff aria-hidden />}>Off</Badge>;
    case 'raised':
      return (
        <Badge tone="bad" icon={<BellRing aria-hidden />}>
          <span>Raised {alert.raisedAt !== undefined && <TimeAgo at={alert.raisedAt} />}</span>
        </Badge>
      );
    case 'unchecked':
      return <Badge icon={<Clock aria-hidden />}>Not checked yet</Badge>;
    case 'nothing':
      return <Badge icon={<CircleDashed aria-hidden />}>Nothing counted yet</Badge>;
    case 'few':
      return <Badge icon={<CircleDashed aria-hidden />}>Too few {callsWord(alert, 0)}</Badge>;
    case 'fine':
      return (
        <Badge tone="ok" icon={<CircleCheck aria-hidden />}>
          Fine
        </Badge>
      );
  }
}
