import type { CodeRef } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { CodeHost, HostIssue, LoadedCode } from '@/lib/sandbox/host/code-host';
import type { CodeLimits } from '@/lib/sandbox/host/limits';
import type { CodeUse } from '@/lib/sandbox/host/protocol';
import { createSandboxPool } from '@/lib/sandbox/host/sandbox-pool';
import { argumentsProblem, closedSchema } from './check-arguments';
import { createCompiler, type Program } from './compile';
import { openJsSandbox } from './js-sandbox';
import { hookProblem, readSignature } from './signature';

/**
 * Runs `.ts` and `.js` files in QuickJS. Each call has a thread of its own while it runs, and a new context, so it keeps no
 * state from earlier calls.
 */
export function createJsHost(folder: Folder, limits: CodeLimits): CodeHost {
  const compiler = createCompiler(folder);
  const ready = new Map<string, Program & { ok: true }>();
  const pool = createSandboxPool({
    open: (events) =>
      openJsSandbox(
        events,
        { filesOf: (file) => ready.get(file)?.files ?? new Map(), placeOf: compiler.placeOf },
        limits,
      ),
    maxWorking: limits.threads,
    maxHooks: limits.hooks,
    startMs: limits.startMs,
    callMs: limits.callMs,
    // The thread interrupts itself at the limit. Code that it cannot interrupt is stopped from here a second later.
    busyMs: limits.cpuMs + 1_000,
    noun: 'thread',
  });

  return {
    parse,
    async load(ref, use, signal): Promise<LoadedCode> {
      const { file, functionName } = ref;
      const fault = await parse(ref, use);
      if (fault !== undefined) return { ok: false, issue: fault };
      const reading = readSignature(folder, file, functionName);
      const control = { signal, timeoutMs: limits.startMs, log() {} };
      const outcome = await pool.call({ kind: 'check', file, functionName, use }, control);
      if (!outcome.ok) {
        const { code, message, frames } = outcome.failure;
        const line = reading.ok ? reading.signature.line : 1;
        const isAbsent = code === 'load' && line === undefined;
        const place = frames?.[0] ?? (isAbsent ? undefined : { file, line: line ?? 1 });
        return { ok: false, issue: { code: 'code-load', message, ...(place && { place }) } };
      }
      if (!reading.ok || use !== 'tool')
        return { ok: true, description: '', inputSchema: {}, problemOf: () => undefined };
      const { description, inputSchema, names } = reading.signature;
      return {
        ok: true,
        description,
        inputSchema: closedSchema(inputSchema),
        ...(names && { names }),
        problemOf: (args) => argumentsProblem(inputSchema, args),
      };
    },
    async call(call, control) {
      const program = ready.get(call.file) ?? (await compile(call.file));
      if (program.ok) return pool.call(call, control);
      return { ok: false, failure: { code: 'load', message: program.message, frames: [program.place] } };
    },
    close: () => pool.close(),
  };

  async function parse({ file, functionName }: CodeRef, use: CodeUse): Promise<HostIssue | undefined> {
    const program = await compile(file);
    if (!program.ok) return { code: 'code-syntax', message: program.message, place: program.place };
    if (use === 'tool') {
      const reading = readSignature(folder, file, functionName);
      if (reading.ok) return undefined;
      const { message, line, column } = reading;
      return { code: 'code-signature', message, place: { file, line, column } };
    }
    const given = use === 'middleware' ? ['ctx', 'args', 'next'] : ['ctx'];
    const problem = hookProblem(folder, file, functionName, given);
    if (problem === undefined) return undefined;
    return { code: 'code-signature', message: problem.message, place: { file, line: problem.line, column: 1 } };
  }

  async function compile(file: string): Promise<Program> {
    const program = await compiler.programOf(file);
    if (program.ok) ready.set(file, program);
    return program;
  }
}
