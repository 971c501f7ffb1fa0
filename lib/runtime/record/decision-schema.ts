import { z } from 'zod';
import type { WorkflowDecision } from './decision';

/** Decisions as they are persisted. The types in `decision.ts` say what the fields mean. */
export const decisionSchema: z.ZodType<WorkflowDecision> = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('route'),
    agent: z.string(),
    confidence: z.string(),
    reasoning: z.string().optional(),
    candidates: z.array(z.string()),
  }),
  z.object({
    what: z.literal('rating'),
    attempt: z.number(),
    rating: z.string(),
    feedback: z.string(),
    focusAreas: z.array(z.string()),
    needsImprovement: z.boolean(),
    minRating: z.string(),
    outcome: z.enum(['accepted', 'refine', 'limit']),
  }),
  z.object({
    what: z.literal('plan'),
    iteration: z.number(),
    description: z.string(),
    tasks: z.array(z.object({ agent: z.string(), description: z.string() })),
    isComplete: z.boolean(),
  }),
  z.object({ what: z.literal('plan_end'), reason: z.enum(['complete', 'iterations']), steps: z.number() }),
  z.object({
    what: z.literal('vote'),
    sample: z.number(),
    answer: z.string(),
    votes: z.number(),
    margin: z.number(),
    discarded: z.string().optional(),
  }),
  z.object({
    what: z.literal('votes'),
    samples: z.number(),
    discarded: z.number(),
    margin: z.number(),
    k: z.number(),
    votes: z.array(z.object({ answer: z.string(), count: z.number() })),
    outcome: z.enum(['won', 'plurality']),
  }),
  z.object({
    what: z.literal('remote_task'),
    taskId: z.string(),
    contextId: z.string().optional(),
    state: z.string(),
  }),
]);
