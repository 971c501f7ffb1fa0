import { execFile } from 'node:child_process';
import path from 'node:path';
import { vi } from 'vitest';
import { main } from '@/lib/cli/main';

export interface EndedCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

/** Starts a command as a process. Resolves when it has ended. `env` is added to the environment of the test. */
export function startCallboard(args: readonly string[], env: Variables = {}): Promise<EndedCommand> {
  const launcher = path.resolve(import.meta.dirname, '../../bin/callboard.mjs');
  const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/**
 * Calls a command in the process of the test, which takes a tenth of the processor time of a start. Not for what the process
 * itself does (exit, signals, terminal): `startCallboard`. Only one command can run at a time.
 */
export async function callCallboard(args: readonly string[], env: Variables = {}): Promise<EndedCommand> {
  const before = { ...process.env };
  const [stdout, stderr] = [take(process.stdout), take(process.stderr)];
  Object.assign(process.env, env);
  try {
    const code = await main(args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.release();
    stderr.release();
    for (const name of Object.keys(process.env)) if (before[name] === undefined) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** Keeps what is written to a stream. */
function take(stream: NodeJS.WriteStream) {
  let text = '';
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  });
  return { text: () => text, release: () => spy.mockRestore() };
}
