'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import { addAlert, changeAlert, readAlerts, removeAlert, setAlertOn } from '@/lib/server/alerts';
import { type AlertRule, alertFigures, alertHours, alertKinds, problemOfAlert } from '@/lib/trace/alerts';

const place = {
  id: z.string().max(100),
  /** Absent: an alert on the runs of every project. */
  project: z.string().max(200).optional(),
};

const rule = {
  figure: z.enum(alertFigures, `The figure is one of ${alertFigures.join(', ')}.`),
  kind: z.enum(alertKinds, `An alert is about one of ${alertKinds.join(', ')}.`),
  name: z.string().trim().max(200, 'A name has at most 200 characters.'),
  threshold: z.number('The line is a number.'),
  hours: z.literal(alertHours, `The window is one of ${alertHours.join(', ')} hours.`),
  least: z
    .int('The least number is a whole number.')
    .min(1, 'The least number is at least 1.')
    .max(1_000_000, 'The least number is at most 1,000,000.'),
};

const checked = (input: AlertRule, context: z.RefinementCtx) => {
  const message = problemOfAlert(input);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
};

const projectOf = (id: string | undefined) => (id === undefined ? undefined : projectId({ project: id }));

export const listAlerts = action(
  z.strictObject({ project: place.project }),
  async ({ project }, actor) => await readAlerts(actor, projectOf(project)),
);

const newAlert = z.strictObject({ project: place.project, ...rule }).superRefine(checked);
export const createAlert = action(newAlert, async ({ project, ...line }, actor) => {
  await addAlert(actor, projectOf(project), withoutName(line));
});

const changed = z.strictObject({ ...place, ...rule }).superRefine(checked);
export const saveAlert = action(changed, async ({ id, project, ...line }, actor) => {
  await changeAlert(actor, { id, project: projectOf(project) }, withoutName(line));
});

/** Runs have no name. */
function withoutName<Rule extends { readonly kind: string; readonly name: string }>(line: Rule): Rule {
  return line.kind === 'run' ? { ...line, name: '' } : line;
}

export const switchAlert = action(z.strictObject({ ...place, enabled: z.boolean() }), async (input, actor) => {
  await setAlertOn(actor, { id: input.id, project: projectOf(input.project) }, input.enabled);
});

export const deleteAlert = action(z.strictObject(place), async ({ id, project }, actor) => {
  await removeAlert(actor, { id, project: projectOf(project) });
});
