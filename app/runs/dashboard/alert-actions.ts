'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { alertBody, alertEdit, alertId } from '@/app/api/alert-bodies';
import { projectId } from '@/app/api/project-id';
import { addAlert, editAlert, readAlerts, removeAlert } from '@/lib/server/alerts';

const projectOf = (id: string | undefined) => (id === undefined ? undefined : projectId({ project: id }));
const project = z.string().max(200).optional();
const alert = z.string().max(100);

export const listAlerts = action(
  z.strictObject({ project, limit: z.int().min(1).max(100_000) }),
  async ({ project: of, limit }, actor) => await readAlerts(actor, { project: projectOf(of), limit }),
);

export const createAlert = action(alertBody, async ({ project: of, ...line }, actor) => {
  await addAlert(actor, projectOf(of), line);
});

export const saveAlert = action(z.strictObject({ alert, edit: alertEdit }), async (input, actor) => {
  await editAlert(actor, alertId(input), input.edit);
});

export const deleteAlert = action(z.strictObject({ alert }), async (input, actor) => {
  await removeAlert(actor, alertId(input));
});
