import { z } from 'zod';
import { againRequest } from '@/lib/base/again-request';
import { taskRequest } from '@/lib/base/task-request';

/** Schemas of requests that change a project (docs/http-api.md). Server actions take the same bodies. */

export const blobHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'A hash is 64 hexadecimal digits, as reading the files gives it.');

const changes = z.array(
  z.union([
    z.strictObject({ path: z.string(), text: z.string().nullable() }),
    z.strictObject({ path: z.string(), hash: blobHash }),
    z.strictObject({ path: z.string(), base64: z.base64() }),
  ]),
);

export const saveBody = z.strictObject({ baseVersion: z.int(), changes: changes.min(1) });

/** `changes` are made to a copy of the saved files; nothing is saved. */
export const taskBody = z.strictObject({ request: taskRequest, changes });

export const runBody = z.strictObject({
  agent: z.string().min(1).optional(),
  /** Needed unless `again` gives one. */
  message: z.string().optional(),
  model: z.string().trim().min(1).optional(),
  correlationId: z.string().trim().min(1).max(200).optional(),
  again: againRequest.optional(),
});

export const pinBody = z.strictObject({
  run: z.string().min(1).max(200),
  seq: z.int().min(1),
  match: z.enum(['equal', 'all']).default('equal'),
});

export const confirmBody = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'is the "hash" that GET answers: 64 hexadecimal digits.'),
});
