'use client';

import { Plus } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useWhileVisible } from '@/components/ui/use-while-visible';
import type { AlertInfo, AlertList } from '@/lib/trace/alert-info';
import type { AlertRule } from '@/lib/trace/alerts';
import { AlertForm } from './alert-form';
import { AlertRow } from './alert-row';
import { alertsAtOnce } from './alerts-at-once';
import type { ProjectName } from './project-names';

/** Reads and changes alerts. Each function rejects with an Error whose message users may see. */
export interface AlertServices {
  /** The first `limit` of one project and of every project; `undefined` for all. */
  readonly read: (project: string | undefined, limit: number) => Promise<AlertList>;
  readonly add: (project: string | undefined, rule: AlertRule) => Promise<void>;
  readonly save: (id: string, edit: AlertRule | { readonly enabled: boolean }) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

export interface DashboardAlertsProps {
  readonly first: AlertList;
  /** The project of the dashboard; `undefined` for all. */
  readonly project: string | undefined;
  /** The projects for which the person may make alerts. */
  readonly projects: readonly ProjectName[];
  /** True if the person may make alerts on the runs of all projects together. */
  readonly mayAll: boolean;
  readonly services: AlertServices;
}

/** Lists the alerts with their state and their figure now, and adds and changes them. Nothing if there are none and none can be made. */
export function DashboardAlerts({ first, project, projects, mayAll, services }: DashboardAlertsProps) {
  const { alerts, hasMore, readAgain, showMore } = useAlerts(first, project, services.read);
  const [fault, setFault] = useState<string>();
  /** The alert that the form changes, or `new`. */
  const [edited, setEdited] = useState<string>();
  useFirstChecks(alerts, readAgain);
  const attempt = async (work: () => Promise<void>, isOfForm = false) => {
    setFault(undefined);
    try {
      await work();
      await readAgain();
      if (isOfForm) setEdited(undefined);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  const mayAdd = mayAll || projects.length > 0;
  const shown = alerts.filter((alert) => project === undefined || (alert.project ?? project) === project);
  if (shown.length === 0 && !mayAdd) return null;
  const common = { projects, mayAll, project, onCancel: () => setEdited(undefined) };
  return (
    <section id="alerts" aria-label="Alerts" className="mb-5 rounded-lg border bg-surface shadow-card">
      <div className="flex min-h-10 flex-wrap items-center gap-2 border-b px-3 py-1.5">
        <h2 className="font-medium text-ink text-sm">Alerts</h2>
        <p className="min-w-0 flex-1 text-muted text-xs">
          Who made the alert and the admins are notified once when a figure crosses its line, and once when it is back.
        </p>
        {mayAdd && edited !== 'new' && (
          <Button size="sm" icon={<Plus aria-hidden className="size-3.5" />} onClick={() => setEdited('new')}>
            Add an alert
          </Button>
        )}
      </div>
      {edited === 'new' && (
        <AlertForm {...common} alert={undefined} onSave={(of, rule) => attempt(() => services.add(of, rule), true)} />
      )}
      {shown.length === 0 && edited !== 'new' && (
        <p className="px-3 py-4 text-muted text-sm">
          There is no alert. Add one on an error rate, a duration, or the cost of a day or month.
        </p>
      )}
      <ul aria-label="Alerts" className="divide-y">
        {shown.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            onEdit={() => setEdited(alert.id)}
            onSwitch={() => attempt(() => services.save(alert.id, { enabled: !alert.enabled }))}
            onRemove={() => attempt(() => services.remove(alert.id))}
          >
            {edited === alert.id && (
              <AlertForm
                {...common}
                alert={alert}
                onSave={(_project, rule) => attempt(() => services.save(alert.id, rule), true)}
              />
            )}
          </AlertRow>
        ))}
      </ul>
      {hasMore && (
        <div className="flex items-center gap-3 border-t px-3 py-2">
          <Button size="sm" onClick={() => attempt(async () => showMore())}>
            Show {alertsAtOnce} more
          </Button>
          <p className="text-muted text-xs">Raised alerts come first.</p>
        </div>
      )}
      {fault !== undefined && (
        <p role="alert" className="border-t px-3 py-2 text-bad text-sm">
          {fault}
        </p>
      )}
    </section>
  );
}

const readAgainMs = 60_000;

/** The alerts: what the page has when it is drawn, and what is read again, each minute while somebody may look. After `showMore` more are read. */
function useAlerts(first: AlertList, project: string | undefined, read: AlertServices['read']) {
  const [drawn, setDrawn] = useState(first);
  const [list, setList] = useState(first);
  if (drawn !== first) {
    setDrawn(first);
    setList(first);
  }
  const newest = useRef(0);
  const limit = useRef(alertsAtOnce);
  // An answer that another request has overtaken may be older than a change.
  const readAgain = useCallback(async () => {
    newest.current += 1;
    const own = newest.current;
    const now = await read(project, limit.current);
    if (own === newest.current) setList(now);
  }, [read, project]);
  const showMore = () => {
    limit.current = list.alerts.length + alertsAtOnce;
  };
  // Without an answer the last figures stay.
  useWhileVisible(() => void readAgain().catch(() => undefined), readAgainMs);
  return { ...list, readAgain, showMore };
}

const lookAgainMs = 1_500;
/** Without a worker nothing is checked. */
const mostLooks = 20;

/** Reads the alerts again while one waits for its first check, which a worker makes within seconds. */
function useFirstChecks(alerts: readonly AlertInfo[], readAgain: () => Promise<void>): void {
  const [looks, setLooks] = useState(0);
  const waiting = alerts.filter(({ enabled, checkedAt }) => enabled && checkedAt === undefined);
  const key = waiting.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another alert is looked for anew
  useEffect(() => setLooks(0), [key]);
  useEffect(() => {
    if (key === '' || looks >= mostLooks) return;
    const timer = setTimeout(() => {
      void readAgain()
        .catch(() => undefined)
        .finally(() => setLooks(looks + 1));
    }, lookAgainMs);
    return () => clearTimeout(timer);
  }, [key, looks, readAgain]);
}
