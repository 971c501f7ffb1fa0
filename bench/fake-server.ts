import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const started = z.object({ url: z.string() });

export interface FakeServer {
  /** The base URL of the wire format, `…/v1`. */
  readonly url: string;
  stop(): void;
}

/** Starts the fake OpenAI server in a separate process, so that its CPU time is not counted. */
export async function startFakeServer(plan: {
  children: number;
  toolCalls: number;
  delayMs: number;
}): Promise<FakeServer> {
  const main = fileURLToPath(new URL('../lib/testing/fake-openai-main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      FAN_OUT: String(plan.children),
      TOOL_CALLS: String(plan.toolCalls),
      DELAY_MS: String(plan.delayMs),
    },
  });
  const { stdout } = child;
  if (!stdout) throw new Error('Bug: the server was started without a pipe');
  for await (const line of createInterface({ input: stdout })) {
    const { url } = started.parse(JSON.parse(line));
    return { url, stop: () => void child.kill() };
  }
  throw new Error('The fake server ended before it said its address.');
}
