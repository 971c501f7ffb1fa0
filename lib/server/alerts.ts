import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { AuditAction } from '@/lib/base/audit';
import type { ProjectId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { scopeFor } from '@/lib/base/rights';
import {
  type AlertPlace,
  deleteAlert,
  insertAlert,
  listAlerts,
  mostAlerts,
  type StoredAlert,
  switchAlert,
  updateAlert,
} from '@/lib/store/alerts';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { noAlert } from '@/lib/store/not-found';
import type { AlertInfo } from '@/lib/trace/alert-info';
import type { AlertRule } from '@/lib/trace/alerts';
import { placeIn } from './authorize';
import { withScope, withStoreOnce } from './services';

/**
 * Lists the alerts on runs that the actor may see: of one project and of every project, or of all. An alert of every project is shown to
 * those who see every project.
 */
export async function readAlerts(actor: Actor, project?: ProjectId): Promise<readonly AlertInfo[]> {
  const changeable = scopeFor(actor.reach, 'settings.change');
  return await withScope(actor, 'run.read', async (store, scope) =>
    (await listAlerts(store, scope, project)).map((alert) => infoOf(alert, mayChange(alert.projectId))),
  );

  function mayChange(project: ProjectId | null): boolean {
    return changeable === 'all' || (project !== null && changeable.includes(project));
  }
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

/** Adds an alert on the runs of a project, or of every project. Throws AppError `conflict` if there are too many. */
export async function addAlert(actor: Actor, project: ProjectId | undefined, rule: AlertRule): Promise<void> {
  await withStoreOnce(actor, 'settings.change', placeIn(project), async ({ store }) => {
    const id = randomUUID();
    if (!(await insertAlert(store, { ...rule, id, project, by: actor.by }))) {
      throw new AppError(
        'conflict',
        `${project === undefined ? 'All projects together have' : 'The project has'} ${mostAlerts} alerts, which is the most. Remove one first.`,
      );
    }
    await note(store, actor, 'alert.added', { id, project }, bodyOf(rule));
  });
}

/** Gives an alert another line; its state begins anew. Throws AppError `not_found`. */
export async function changeAlert(actor: Actor, place: AlertPlace, rule: AlertRule): Promise<void> {
  await withStoreOnce(actor, 'settings.change', placeIn(place.project), async ({ store }) => {
    if (!(await updateAlert(store, place, rule))) throw noAlert();
    await note(store, actor, 'alert.changed', place, bodyOf(rule));
  });
}

/** Switches an alert on or off. Throws AppError `not_found`. */
export async function setAlertOn(actor: Actor, place: AlertPlace, enabled: boolean): Promise<void> {
  await withStoreOnce(actor, 'settings.change', placeIn(place.project), async ({ store }) => {
    if (!(await switchAlert(store, place, enabled))) throw noAlert();
    await note(store, actor, 'alert.changed', place, { enabled });
  });
}

/** Removes an alert. Throws AppError `not_found`. */
export async function removeAlert(actor: Actor, place: AlertPlace): Promise<void> {
  await withStoreOnce(actor, 'settings.change', placeIn(place.project), async ({ store }) => {
    if (!(await deleteAlert(store, place))) throw noAlert();
    await note(store, actor, 'alert.removed', place, {});
  });
}

function bodyOf({ figure, kind, name, threshold, hours, least }: AlertRule): JsonObject {
  return { figure, kind, name, threshold, hours, least };
}

async function note(
  store: Store,
  actor: Actor,
  action: AuditAction,
  { id, project }: AlertPlace,
  body: JsonObject,
): Promise<void> {
  await appendAudit(store.pool, { actor, action, object: id, project, body });
}
