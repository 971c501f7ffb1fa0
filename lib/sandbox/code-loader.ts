import type { CodeRef } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { HookControl } from '@/lib/runtime/ports';
import type { CodeHost, HostIssue, LoadedCode } from './host/code-host';
import type { CallControl, SandboxOutcome } from './host/pooled-sandbox';
import type { CodeUse, SandboxCall, SandboxFailure } from './host/protocol';

/** Finds the host of a file's language, and loads each function once. */
export interface CodeLoader {
  /** Loads each function once per use. An aborted load is not remembered. */
  load(ref: CodeRef, use: CodeUse, signal: AbortSignal): Promise<LoadedCode>;
  /** Returns the faults that `load` would find from the text of the file alone. Nothing runs. */
  parse(ref: CodeRef, use: CodeUse): Promise<HostIssue | undefined>;
  run(ref: CodeRef, call: SandboxCall, control: HookControl, next?: CallControl['next']): Promise<SandboxOutcome>;
}

export function createCodeLoader(
  folder: Folder,
  hosts: { readonly js: CodeHost; readonly python: CodeHost },
): CodeLoader {
  const loading = new Map<string, Promise<LoadedCode>>();
  let queue: Promise<unknown> = Promise.resolve();

  return {
    load(ref, use, signal) {
      const key = JSON.stringify([ref.file, ref.functionName, use]);
      const known = loading.get(key);
      if (known !== undefined) return known;
      const made = loadNow(ref, use, signal);
      loading.set(key, made);
      void made.then((loaded) => {
        if (!loaded.ok && signal.aborted) loading.delete(key);
      });
      return made;
    },
    parse: async (ref, use) => unreadable(ref) ?? (await hostOf(ref.file)?.parse(ref, use)),
    async run(ref, call, control, next) {
      const host = hostOf(ref.file);
      if (host === undefined) {
        return { ok: false, failure: { code: 'load', message: `'${ref.file}' is neither Python nor JavaScript.` } };
      }
      const callControl: CallControl = {
        signal: control.signal,
        ...(control.timeoutMs !== undefined && { timeoutMs: control.timeoutMs }),
        ...(next && { next }),
        log: (level, text) => control.log({ level, code: 'code_output', message: `${ref.spec}: ${text}` }),
      };
      const outcome = await host.call(call, callControl);
      if (!outcome.ok) logFrames(ref, outcome.failure, control);
      return outcome;
    },
  };

  function hostOf(file: string): CodeHost | undefined {
    if (/\.py$/i.test(file)) return hosts.python;
    return /\.[cm]?[jt]s$/i.test(file) ? hosts.js : undefined;
  }

  function unreadable(ref: CodeRef): HostIssue | undefined {
    if (hostOf(ref.file) === undefined) return notCode(ref);
    if (folder.get(ref.file)?.kind === 'text') return undefined;
    const message = `There is no text file '${ref.file}' in the project. Add it or correct the path.`;
    return { code: 'code-file-missing', message };
  }

  async function loadNow(ref: CodeRef, use: CodeUse, signal: AbortSignal): Promise<LoadedCode> {
    const host = hostOf(ref.file);
    const issue = unreadable(ref);
    if (issue !== undefined || host === undefined) return { ok: false, issue: issue ?? notCode(ref) };
    // Files are loaded one at a time, because loading many files does not need many interpreters.
    const loaded = queue.then(() => host.load(ref, use, signal));
    queue = loaded.catch(() => {});
    return loaded;
  }
}

function notCode({ file }: CodeRef): HostIssue {
  const message = `'${file}' is neither Python nor JavaScript. Use a .py, .ts or .js file.`;
  return { code: 'code-kind', message, place: { file, line: 1, column: 1 } };
}

/** Logs the whole stack of an error. The result names only the innermost frame. */
function logFrames(ref: CodeRef, failure: SandboxFailure, control: HookControl): void {
  const { frames = [], message } = failure;
  if (frames.length === 0) return;
  const lines = frames.map(({ file, line, functionName }) => `  at ${functionName ?? '(top level)'} (${file}:${line})`);
  control.log({ level: 'error', code: 'code_raised', message: [`${ref.spec}: ${message}`, ...lines].join('\n') });
}
