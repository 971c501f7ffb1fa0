import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { scopeFor } from '@/lib/base/rights';
import {
  deleteAlert,
  insertAlert,
  listAlerts,
  listAlertsAfter,
  lockAlert,
  mostAlerts,
  type StoredAlert,
  updateAlert,
} from '@/lib/store/alerts';
import { appendAudit } from '@/lib/store/audit';
import { noAlert } from '@/lib/store/not-found';
import { transaction } from '@/lib/store/transaction';
import type { AlertInfo, AlertList } from '@/lib/trace/alert-info';
import { type AlertRule, problemOfAlert } from '@/lib/trace/alerts';
import { placeIn } from './authorize';
import { cursorOf, placeOf } from './page-cursor';
import { withScope, withStoreOnce } from './services';

/** What is asked for: alerts of one project and of every project, or of all. An alert of every project is for those who see all projects. */
interface AlertQuery {
  readonly project: ProjectId | undefined;
  readonly limit: number;
}

/** Lists the alerts on runs that the actor may see, the raised ones first. */
export async function readAlerts(actor: Actor, { project, limit }: AlertQuery): Promise<AlertList> {
  return await withScope(actor, 'run.read', async (store, scope) => {
    const found = await listAlerts(store, { scope, project, limit: limit + 1 });
    return { alerts: found.slice(0, limit).map((alert) => infoFor(actor, alert)), hasMore: found.length > limit };
  });
}

/**
 * Returns a page of these alerts, oldest first. `after` is `next` of the page before; any other value is AppError `bad_request`.
 */
export async function readAlertPage(
  actor: Actor,
  { project, limit, after }: AlertQuery & { readonly after: string | undefined },
): Promise<{ readonly alerts: readonly AlertInfo[]; readonly next: string | null }> {
  const place = after === undefined ? undefined : placeOf(after);
  return await withScope(actor, 'run.read', async (store, scope) => {
    const found = await listAlertsAfter(store, { scope, project, limit: limit + 1 }, place);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = last === undefined || found.length <= limit ? null : cursorOf({ time: last.createdAt, id: last.id });
    return { alerts: page.map((alert) => infoFor(actor, alert)), next };
  });
}

function infoFor({ reach }: Actor, alert: StoredAlert): AlertInfo {
  const changeable = scopeFor(reach, 'settings.change');
  const { projectId } = alert;
  return infoOf(alert, changeable === 'all' || (projectId !== null && changeable.includes(projectId)));
}

function infoOf(alert: StoredAlert, mayChange: boolean): AlertInfo {
  const { id, projectId, projectName, figure, kind, name, threshold, hours, least, enabled, value, calls } = alert;
  return {
    ...{ id, figure, kind, name, threshold, hours, least, enabled, calls, mayChange },
    ...(projectId !== null && { project: projectId, projectName: projectName ?? '' }),
    ...(value !== null && { value }),
    raisedAt: alert.raisedAt?.getTime(),
    checkedAt: alert.checkedAt?.getTime(),
  };
}

/**
 * Adds an alert on the runs of a project, or of every project. Throws AppError `bad_request` for a line that makes no sense, and `conflict`
 * if there are too many.
 */
export async function addAlert(
  actor: Actor,
  project: ProjectId | undefined,
  given: AlertRule,
): Promise<{ readonly id: string }> {
  return await withStoreOnce(actor, 'settings.change', placeIn(project), async ({ store }) => {
    const id = randomUUID();
    const rule = checkedRule(given);
    if (!(await insertAlert(store, { ...rule, id, project, by: actor.by }))) {
      throw new AppError(
        'conflict',
        `${project === undefined ? 'All projects together have' : 'The project has'} ${mostAlerts} alerts, which is the most. Remove one first.`,
      );
    }
    await appendAudit(store.pool, { actor, action: 'alert.added', object: id, project, body: bodyOf(rule) });
    return { id };
  });
}

/** What is changed of an alert. */
export type AlertEdit = { readonly [Key in keyof AlertRule]?: AlertRule[Key] | undefined } & {
  readonly enabled?: boolean | undefined;
};

/** Gives an alert another line, or switches it on or off; then its state begins anew. Throws AppError `bad_request` and `not_found`. */
export async function editAlert(actor: Actor, id: string, edit: AlertEdit): Promise<void> {
  await withStoreOnce(actor, 'settings.change', { alert: id }, async ({ store }) => {
    await transaction(store, async (client) => {
      const known = await lockAlert(client, id);
      if (known === undefined) throw noAlert();
      const rule = checkedRule(withEdit(known, edit));
      const enabled = edit.enabled ?? known.enabled;
      const body: JsonObject = {
        ...(alertFields.some((field) => rule[field] !== known[field]) && bodyOf(rule)),
        ...(enabled !== known.enabled && { enabled }),
      };
      if (Object.keys(body).length === 0) return;
      await updateAlert(client, id, { ...rule, enabled });
      const project = known.projectId ?? undefined;
      await appendAudit(client, { actor, action: 'alert.changed', object: id, project, body });
    });
  });
}

/** Removes an alert. Throws AppError `not_found`. */
export async function removeAlert(actor: Actor, id: string): Promise<void> {
  await withStoreOnce(actor, 'settings.change', { alert: id }, async ({ store }) => {
    const project = await deleteAlert(store, id);
    if (project === undefined) throw noAlert();
    await appendAudit(store.pool, { actor, action: 'alert.removed', object: id, project: project ?? undefined });
  });
}

function withEdit(known: AlertRule, edit: AlertEdit): AlertRule {
  return {
    figure: edit.figure ?? known.figure,
    kind: edit.kind ?? known.kind,
    name: edit.name ?? known.name,
    threshold: edit.threshold ?? known.threshold,
    hours: edit.hours ?? known.hours,
    least: edit.least ?? known.least,
  };
}

const alertFields = ['figure', 'kind', 'name', 'threshold', 'hours', 'least'] as const;

function bodyOf({ figure, kind, name, threshold, hours, least }: AlertRule): JsonObject {
  return { figure, kind, name, threshold, hours, least };
}

/** Returns the line as it is stored: runs have no name. Throws AppError `bad_request`. */
function checkedRule(given: AlertRule): AlertRule {
  const rule = given.kind === 'run' ? { ...given, name: '' } : given;
  const problem = problemOfAlert(rule);
  if (problem !== undefined) throw new AppError('bad_request', problem);
  return rule;
}
