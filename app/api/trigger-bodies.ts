import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { longestTriggerMessage, mostStopAfter, triggerKinds, usualStopAfter } from '@/lib/base/triggers';
import { plainName } from './project-bodies';
import type { ProjectParams } from './project-id';

/** Schemas of requests about triggers (docs/http-api.md). Server actions take the same bodies. */

export type TriggerParams = ProjectParams & { readonly trigger: string };

/** Returns the id in the path. Text that cannot be an id is answered with `not_found` without a query. */
export function triggerId({ trigger }: { readonly trigger: string }): string {
  if (!/^[\w-]{1,64}$/.test(trigger)) throw new AppError('not_found', 'There is no such trigger.');
  return trigger;
}

const target = z.union(
  [z.strictObject({ label: plainName }), z.strictObject({ revision: z.int().min(1).max(2_147_483_647) })],
  'Give either {"label"} or {"revision"}.',
);

export const scheduleBody = z.strictObject({
  cron: z.string().trim().min(1, 'Write five fields.').max(200, 'At most 200 characters.'),
  zone: z.string().trim().min(1, 'Give a time zone, such as Europe/Berlin.').max(60, 'At most 60 characters.'),
});

const settings = {
  name: plainName.trim().min(1, 'Give a name.'),
  target,
  message: z.string().max(longestTriggerMessage, `At most ${longestTriggerMessage} characters.`),
  schedule: scheduleBody,
  stopAfter: z.int().min(1).max(mostStopAfter, `At most ${mostStopAfter}.`),
};

export const triggerBody = z.strictObject({
  kind: z.enum(triggerKinds),
  ...settings,
  target: target.default({ label: 'live' }),
  schedule: scheduleBody.optional(),
  stopAfter: settings.stopAfter.default(usualStopAfter),
});

export const triggerEdit = z.strictObject({ ...settings, enabled: z.boolean() }).partial();
