import { figuresOfAlerts, lockDueAlerts, type StoredAlert, storeCheck } from '@/lib/store/alerts';
import type { Store } from '@/lib/store/database';
import { insertNotice, type NewNotice } from '@/lib/store/person-notices';
import { transaction } from '@/lib/store/transaction';
import { alertHref, alertNotice } from '@/lib/trace/alert-words';
import { alertValue, isRaisedNow } from '@/lib/trace/alerts';
import { noDashboardFigures } from '@/lib/trace/dashboard';

/**
 * Checks the alerts that are due. The notice and the new state of an alert are stored together, and its row is locked, so each change is
 * told once, whichever worker checks and whenever one dies. `now` is in epoch milliseconds. Returns how many were checked.
 */
export async function checkAlerts(store: Store, now: number): Promise<number> {
  return await transaction(store, async (client) => {
    const due = await lockDueAlerts(client);
    if (due.length === 0) return 0;
    const found = await figuresOfAlerts(client, due, now);
    for (const alert of due) {
      const figures = found.get(alert.id) ?? noDashboardFigures;
      const value = alertValue(alert.figure, figures) ?? null;
      const wasRaised = alert.raisedAt !== null;
      const isRaised = isRaisedNow(alert, wasRaised, figures);
      const checked = { ...alert, value, calls: figures.calls };
      if (isRaised === wasRaised) {
        await storeCheck(client, checked);
        continue;
      }
      const raises = alert.raises + (isRaised ? 1 : 0);
      await storeCheck(client, { ...checked, raises, raisedAt: isRaised ? new Date(now) : null });
      await insertNotice(client, noticeOf({ ...checked, raises }, isRaised));
    }
    return due.length;
  });
}

function noticeOf(alert: StoredAlert, isRaised: boolean): NewNotice {
  const { id, raises, projectId, projectName, value, calls } = alert;
  return {
    kind: isRaised ? 'alert.raised' : 'alert.over',
    projectId: projectId ?? undefined,
    object: `${id} ${raises}`,
    words: alertNotice(alert, projectName ?? undefined, { value: value ?? undefined, calls }, isRaised),
    href: alertHref(alert, projectId ?? undefined),
    by: undefined,
    people: [alert.by],
    roles: ['admin'],
  };
}
