import { z } from 'zod';
import type { AppClient } from './app-client';

/** The inputs that many tools take. */
export const projectInput = z.string().regex(/^[\w-]{1,64}$/, 'Give the id of a project.');
export const draftName = z.string().min(1).max(60);

/** A tool that asks the running app. */
export interface AppTool<Input extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** False if it changes something. */
  readonly isReadOnly: boolean;
  /** Resolves to text, or to a value that is shown as JSON. Rejects with an Error whose message the program may see. */
  run(client: AppClient, input: z.infer<z.ZodObject<Input>>): Promise<unknown>;
}

/** Keeps the types of the input of a tool. */
export function appTool<Input extends z.ZodRawShape>(tool: AppTool<Input>): AppTool {
  return tool as unknown as AppTool;
}

/** Asks for JSON. `query` leaves out what is undefined. */
export async function read(
  client: AppClient,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): Promise<unknown> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const asked = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return await (await client.send(`${path}${asked}`)).json();
}
