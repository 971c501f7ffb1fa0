import { z } from 'zod';
import type { TaskRequest } from './task';

/** Reads what an editor asks of a worker, from a request and from the database. */
export const taskRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('probe'),
    server: z.string().min(1).max(500),
    agent: z.string().min(1).max(500).optional(),
  }),
]) satisfies z.ZodType<TaskRequest>;
