import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { alertFigures, alertHours, alertKinds } from '@/lib/trace/alerts';

/** Schemas of requests about alerts (docs/http-api.md). Server actions take the same bodies. */

export interface AlertParams {
  readonly alert: string;
}

/** Returns the id in the path. Text that cannot be an id is answered with `not_found` without a query. */
export function alertId({ alert }: AlertParams): string {
  if (!/^[\w-]{1,64}$/.test(alert)) throw new AppError('not_found', 'There is no such alert.');
  return alert;
}

const line = {
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

export const alertBody = z.strictObject({
  /** Absent: an alert on the runs of every project. */
  project: z.string().max(200).optional(),
  ...line,
  kind: line.kind.default('run'),
  name: line.name.default(''),
  hours: line.hours.default(24),
  least: line.least.default(10),
});

export const alertEdit = z.strictObject({ ...line, enabled: z.boolean() }).partial();
