import { countsOfAlerts, lockDueAlerts, type StoredAlert, storeCheck } from '@/lib/store/alerts';
import type { Store } from '@/lib/store/database';
import { insertNotice, type NewNotice } from '@/lib/store/person-notices';
import { transaction } from '@/lib/store/transaction';
import { alertHref, alertNotice } from '@/lib/trace/alert-words';
import { type AlertSpan, alertValue, decideAlert } from '@/lib/trace/alerts';

/**
 * Checks the alerts that are due. The notice and the new state of an alert are stored together, and its row is locked, so each change is
 * told once, whichever worker checks and whenever one dies. `now` is in epoch milliseconds. Returns how many were checked.
 */
export async function checkAlerts(store: Store, now: number): Promise<number> {
  return await transaction(store, async (client) => {
    const due = await lockDueAlerts(client);
    if (due.length === 0) return 0;
    const found = await countsOfAlerts(client, due, now);
    for (const alert of due) {
      const [present, ...before] = found.get(alert.id) ?? [];
      if (present === undefined) throw new Error('Bug: an alert counts no time');
      const decision = decideAlert(alert, alert.raisedAt?.getTime(), [present, ...before], now);
      const { count, raisedAt, told } = decision;
      const value = alertValue(alert.figure, count.figures) ?? null;
      const raises = alert.raises + (told === 'raised' ? 1 : 0);
      const at = raisedAt === undefined ? null : new Date(raisedAt);
      const checked = { ...alert, value, calls: count.figures.calls, raises, raisedAt: at };
      await storeCheck(client, checked);
      if (told !== undefined) await insertNotice(client, noticeOf(checked, count.span, told));
    }
    return due.length;
  });
}

function noticeOf(alert: StoredAlert, span: AlertSpan, told: 'raised' | 'over'): NewNotice {
  const { id, raises, projectId, projectName, value, calls } = alert;
  return {
    kind: `alert.${told}`,
    projectId: projectId ?? undefined,
    object: `${id} ${raises}`,
    words: alertNotice(alert, projectName ?? undefined, { value: value ?? undefined, calls, span }, told === 'raised'),
    href: alertHref(alert, projectId ?? undefined),
    by: undefined,
    people: [alert.by],
    roles: ['admin'],
  };
}
