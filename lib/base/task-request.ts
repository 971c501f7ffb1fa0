import { z } from 'zod';
import { isRecord, type Json, type JsonObject } from './json';
import type { EditorRequest, TaskRequest } from './task';

const name = z.string().min(1).max(500);
const json: z.ZodType<Json> = z.json();
const jsonObject = z.custom<JsonObject>((value) => isRecord(value), { error: 'a JSON object is needed' });

/** The parts of a hook case. A file with a case (lib/cards/hook-cases) has the same. */
export const hookCaseShape = {
  agent: name,
  only: z
    .union([
      z.strictObject({ origin: z.enum(['run', 'agent settings', 'card']), index: z.int().min(0) }),
      z.strictObject({ phase: name }),
    ])
    .optional(),
  call: z.strictObject({
    tool: name,
    source: z.enum(['mcp', 'function', 'agent', 'runtime']),
    server: name.optional(),
    arguments: jsonObject,
  }),
  result: json,
  state: jsonObject.optional(),
} as const;

/** Reads what an editor asks of a worker. */
export const editorRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('probe'),
    server: name,
    agent: name.optional(),
  }),
  z.strictObject({ kind: z.literal('hooks'), ...hookCaseShape }),
  z.strictObject({
    kind: z.literal('tool'),
    agent: name,
    tool: name,
    server: name.optional(),
    arguments: jsonObject.optional(),
    unchecked: z.literal(true).optional(),
    approve: z.literal(true).optional(),
  }),
]) satisfies z.ZodType<EditorRequest>;

/** Reads a task from the database. */
export const taskRequest = z.discriminatedUnion('kind', [
  ...editorRequest.options,
  z.strictObject({ kind: z.literal('key'), name, sealed: z.string().optional() }),
  z.strictObject({ kind: z.literal('models'), section: name, address: z.string(), sealed: z.string().optional() }),
  z.strictObject({
    kind: z.literal('sign-in'),
    server: name,
    agent: name.optional(),
    redirectUrl: z.string(),
    by: z.string(),
  }),
  z.strictObject({ kind: z.literal('sign-in-code'), attempt: z.string(), sealed: z.string() }),
  z.strictObject({ kind: z.literal('sign-out'), signIn: z.string(), sealed: z.string() }),
]) satisfies z.ZodType<TaskRequest>;
