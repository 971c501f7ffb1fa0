import * as z from 'zod/mini';
import type { HookReport } from '@/lib/base/hook-report';
import { type KeyReport, keyOutcomes } from '@/lib/base/key-report';
import { type ProbeReport, probeStepNames } from '@/lib/base/probe-report';
import type { TaskAnswer } from '@/lib/base/task';
import type { ToolReport } from '@/lib/base/tool-report';
import { getJson } from './ask-shape';

const schema = z.record(z.string(), z.json());

const offers = {
  tools: z.array(z.object({ name: z.string(), description: z.optional(z.string()), inputSchema: schema })),
  resources: z.array(
    z.object({
      uri: z.string(),
      name: z.string(),
      description: z.optional(z.string()),
      mimeType: z.optional(z.string()),
    }),
  ),
  prompts: z.array(
    z.object({
      name: z.string(),
      description: z.optional(z.string()),
      arguments: z.array(z.object({ name: z.string(), required: z.boolean() })),
    }),
  ),
};

/** What a server listed. */
export const listingShape = z.object({ ...offers, probedAt: z.number() });

const probeReport: z.ZodMiniType<ProbeReport> = z.object({
  server: z.string(),
  steps: z.array(
    z.object({
      name: z.enum(probeStepNames),
      state: z.enum(['done', 'failed', 'skipped']),
      ms: z.number(),
      message: z.optional(z.string()),
    }),
  ),
  why: z.optional(z.string()),
  needsSignIn: z.optional(z.literal(true)),
  log: z.array(z.string()),
  serverInfo: z.optional(z.object({ name: z.string(), version: z.string() })),
  ...offers,
  faults: z.optional(z.array(z.string())),
  leftOut: z.optional(z.string()),
  probedAt: z.number(),
});

const hookLine = z.object({ level: z.enum(['debug', 'info', 'warning', 'error']), message: z.string() });

const hookReport: z.ZodMiniType<HookReport> = z.object({
  agent: z.string(),
  steps: z.array(
    z.object({
      hook: z.string(),
      place: z.optional(z.number()),
      phase: z.string(),
      state: z.enum(['done', 'failed', 'passed by', 'not reached']),
      calledNext: z.boolean(),
      arguments: z.optional(z.object({ before: z.json(), after: z.optional(z.json()) })),
      result: z.optional(z.object({ before: z.optional(z.json()), after: z.json() })),
      changes: z.optional(z.array(z.object({ what: z.string(), before: z.json(), after: z.json() }))),
      log: z.array(hookLine),
      ms: z.number(),
      error: z.optional(z.string()),
    }),
  ),
  arguments: z.optional(schema),
  toolCalls: z.number(),
  result: z.json(),
  ms: z.number(),
  triedAt: z.number(),
});

const toolReport: z.ZodMiniType<ToolReport> = z.object({
  agent: z.string(),
  tool: z.string(),
  description: z.string(),
  inputSchema: schema,
  result: z.optional(z.json()),
  state: z.optional(schema),
  ms: z.number(),
  readyMs: z.number(),
  log: z.array(hookLine),
  triedAt: z.number(),
});

const keyReport: z.ZodMiniType<KeyReport> = z.object({
  outcome: z.enum(keyOutcomes),
  message: z.string(),
  models: z.array(z.string()),
});

const answer: z.ZodMiniType<TaskAnswer> = z.union([
  z.object({ ok: z.literal(true), kind: z.literal('probe'), report: probeReport }),
  z.object({ ok: z.literal(true), kind: z.literal('hooks'), report: hookReport }),
  z.object({ ok: z.literal(true), kind: z.literal('tool'), report: toolReport }),
  z.object({ ok: z.literal(true), kind: z.literal('key'), report: keyReport }),
  z.object({ ok: z.literal(true), kind: z.literal('sign-in'), attempt: z.string(), host: z.string() }),
  z.object({ ok: z.literal(true), kind: z.literal('signed-in'), server: z.string(), host: z.string() }),
  z.object({ ok: z.literal(true), kind: z.literal('signed-out'), isRevoked: z.boolean() }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    message: z.string(),
    problems: z.optional(z.array(z.object({ field: z.optional(z.string()), message: z.string() }))),
  }),
]);

const task = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['queued', 'running']) }),
  z.object({ state: z.literal('ended'), answer }),
]);

/**
 * Waits until a worker has answered. The server ends every task after about two minutes. Rejects with a `RequestError`, or with
 * the reason for which `signal` was aborted; the task itself goes on then.
 */
export async function waitForTask(id: string, signal?: AbortSignal): Promise<TaskAnswer> {
  for (;;) {
    const found = await getJson(`/api/v1/tasks/${encodeURIComponent(id)}`, task, signal);
    if (found.state === 'ended') return found.answer;
  }
}
