import * as z from 'zod/mini';
import type { Json } from '@/lib/base/json';
import { getJson } from './ask-shape';

const calls = z.object({ modelCalls: z.number(), toolCalls: z.number() });
const recordPreview = z.object({ kept: calls, all: calls });
/** How many calls a run from a step answers from the record, and how many the old run made. */
export type RecordPreview = z.infer<typeof recordPreview>;

const json = z.json() as z.ZodMiniType<Json>;
const instancePreview = z.object({
  agentName: z.string(),
  arguments: z.optional(json),
  input: z.string(),
  tools: z.array(z.object({ name: z.string(), calls: z.number() })),
});
/** What an instance was called with, and which tools it and the instances below it called. */
export type InstancePreview = z.infer<typeof instancePreview>;

const pin = z.object({
  id: z.string(),
  agentName: z.string(),
  tool: z.string(),
  arguments: z.optional(json),
  runId: z.string(),
  seq: z.number(),
});
/** A result that runs of the project get in place of a tool call. */
export type PinInfo = z.infer<typeof pin>;
const pinList = z.object({ pins: z.array(pin) });

/** Rejects with a `RequestError`, like the other functions here. */
export async function readRecordPreview(runId: string, at: number, signal: AbortSignal): Promise<RecordPreview> {
  return await getJson(`/api/v1/runs/${runId}/again?at=${at}`, recordPreview, signal);
}

export async function readInstancePreview(runId: string, path: string, signal: AbortSignal): Promise<InstancePreview> {
  return await getJson(
    `/api/v1/runs/${runId}/again?${new URLSearchParams({ instance: path })}`,
    instancePreview,
    signal,
  );
}

export async function readPins(projectId: string, signal: AbortSignal): Promise<readonly PinInfo[]> {
  return (await getJson(`/api/v1/projects/${projectId}/pins`, pinList, signal)).pins;
}
