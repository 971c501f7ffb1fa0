import * as z from 'zod/mini';
import type { AgainFiles } from '@/lib/base/again';
import type { Json } from '@/lib/base/json';
import { getJson } from './ask-shape';

const calls = z.object({ modelCalls: z.number(), toolCalls: z.number() });
const recordPreview = z.object({ kept: calls, all: calls, mismatch: z.optional(z.string()) });
/** How many calls a run from a step answers from the record, how many the old run made, and why the record ends earlier. */
export type RecordPreview = z.infer<typeof recordPreview>;

const json = z.json() as z.ZodMiniType<Json>;
const instancePreview = z.object({
  agentName: z.string(),
  arguments: z.optional(json),
  input: z.string(),
  tools: z.array(z.object({ name: z.string(), calls: z.number() })),
  problem: z.optional(z.string()),
});
/** What an instance was called with, which tools it and those below it called, and why it cannot run with the chosen files. */
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
export async function readRecordPreview(
  runId: string,
  { at, files }: { readonly at: number; readonly files: AgainFiles },
  signal: AbortSignal,
): Promise<RecordPreview> {
  return await getJson(`/api/v1/runs/${runId}/again?at=${at}&files=${files}`, recordPreview, signal);
}

export async function readInstancePreview(
  runId: string,
  { path, files }: { readonly path: string; readonly files: AgainFiles },
  signal: AbortSignal,
): Promise<InstancePreview> {
  const query = new URLSearchParams({ instance: path, files });
  return await getJson(`/api/v1/runs/${runId}/again?${query}`, instancePreview, signal);
}

export async function readPins(projectId: string, signal: AbortSignal): Promise<readonly PinInfo[]> {
  return (await getJson(`/api/v1/projects/${projectId}/pins`, pinList, signal)).pins;
}
