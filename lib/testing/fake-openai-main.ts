import { isRecord, type JsonObject, parseJson } from '@/lib/base/json';
import { startFakeOpenAI } from './fake-openai';
import { type FanOut, fanOut } from './fake-openai-fan-out';

/**
 * Runs the fake OpenAI server as a process. It prints `{"port", "url"}` as its first line. It ends on SIGTERM, or when the
 * IPC channel of its parent closes. It reads the environment: FAN_OUT (default 10), TOOL_CALLS (3), DELAY_MS (0), PORT,
 * CHILD_TOOL, TOOL, TOOL_ARGUMENTS (JSON). `GET /stats` returns its totals.
 */
const { env } = process;
const number = (name: string, fallback: number): number => Number(env[name] ?? fallback);

const plan: FanOut = {
  children: number('FAN_OUT', 10),
  toolCalls: number('TOOL_CALLS', 3),
  delayMs: number('DELAY_MS', 0),
  ...(env.CHILD_TOOL && { child: env.CHILD_TOOL }),
  ...(env.TOOL && { tool: env.TOOL }),
  ...(env.TOOL_ARGUMENTS && { toolArguments: readArguments(env.TOOL_ARGUMENTS) }),
};

function readArguments(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(`TOOL_ARGUMENTS is not a JSON object: ${text}`);
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

const server = await startFakeOpenAI({ respond: fanOut(plan), port: number('PORT', 0), record: false });
console.log(JSON.stringify({ port: Number(new URL(server.url).port), url: server.url }));
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
