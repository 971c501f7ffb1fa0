import type { Issue } from '@/lib/base/issue';
import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { withoutOptionalNulls } from '@/lib/base/optional-nulls';
import type { AgentCard, CodeRef } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { HookControl, HookPort, ToolDescriptor, ToolPort } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import type { CodeHost, HostIssue, LoadedCode } from './code-host';
import type { CallControl, GuestOutcome } from './guest-pool';
import { createJsHost } from './js/js-host';
import { type CodeLimits, defaultLimits } from './limits';
import { phaseChanges, phaseView } from './phase-view';
import { placeOfSpec } from './place-of-spec';
import type { CodeUse, GuestCall, GuestFailure } from './protocol';
import { createPythonHost } from './python/python-host';
import type { PythonSetting } from './python-setting';
import { writeState } from './state-writes';
import { failureMessage, failureResult, toToolResult } from './tool-result';

export interface CodeHostsInput {
  /** The run's files. Python works in a copy of its own, so that nothing it writes reaches anyone else. */
  readonly folder: Folder;
  readonly python: PythonSetting;
  readonly limits?: Partial<CodeLimits>;
}

/** Runs the code a project's cards name: one per run. */
export interface CodeHosts {
  readonly tools: ToolPort;
  readonly hooks: HookPort;
  /** What `hooks.load` would say by the text of the card's files alone. Nothing runs. */
  parse(card: AgentCard): Promise<readonly Issue[]>;
  /** Ends every thread and process and removes what they wrote. */
  close(): Promise<void>;
}

/**
 * `.ts` and `.js` run in QuickJS, `.py` in Python processes. Nothing starts before the first `load`, `list` or call of a
 * card that names code.
 */
export function createCodeHosts(input: CodeHostsInput): CodeHosts {
  const limits = { ...defaultLimits, ...input.limits };
  const js = createJsHost(input.folder, limits);
  const python = createPythonHost(input.folder, input.python, limits);
  const loading = new Map<string, Promise<LoadedCode>>();
  let queue: Promise<unknown> = Promise.resolve();

  const tools: ToolPort = {
    async list(card, signal) {
      const listed: ToolDescriptor[] = [];
      const issues: Issue[] = [];
      for (const spec of card.functionTools) {
        const loaded = await load(refOf(spec), 'tool', signal);
        if (!loaded.ok) {
          issues.push(issueOf(input.folder, card, refOf(spec), 'tool', loaded.issue));
          continue;
        }
        listed.push({
          name: spec.functionName,
          description: loaded.description,
          inputSchema: loaded.inputSchema,
          source: 'function',
          remoteName: `${spec.file}:${spec.functionName}`,
        });
      }
      return { tools: listed, issues };
    },
    async call(tool, args, context) {
      const spec = tool.remoteName ?? tool.name;
      const at = spec.lastIndexOf(':');
      const ref: CodeRef = { spec, file: spec.slice(0, at), functionName: spec.slice(at + 1) };
      const loaded = await load(ref, 'tool', context.signal);
      if (!loaded.ok) return failureResult(spec, { code: 'load', message: loaded.issue.message });
      const given = withoutOptionalNulls(loaded.inputSchema, args);
      const problem = loaded.problemOf(given);
      if (problem !== undefined) return failureResult(spec, { code: 'arguments', message: problem });
      const { file, functionName } = ref;
      const call: GuestCall = {
        kind: 'tool',
        file,
        functionName,
        args: given,
        ...(loaded.names && { names: loaded.names }),
      };
      const outcome = await run(ref, call, { signal: context.signal, log: context.log });
      if (!outcome.ok) return failureResult(spec, outcome.failure);
      const result = toToolResult(outcome.value);
      return result.isError ? result : (writeState(outcome.value, context.state) ?? result);
    },
    version: () => 1,
  };

  const hooks: HookPort = {
    async load(card, signal) {
      const issues: Issue[] = [];
      for (const { ref, use } of codeOf(card)) {
        const loaded = await load(ref, use, signal);
        if (!loaded.ok) issues.push(issueOf(input.folder, card, ref, use, loaded.issue));
      }
      return issues;
    },
    async around(hook, context, args, next, control) {
      let original: ToolResult | undefined;
      const { file, functionName } = hook;
      const call: GuestCall = { kind: 'around', file, functionName, context: { ...context }, args };
      const outcome = await run(hook, call, control, async (changed, bare) => {
        original = await next(changed, bare ? 'tool' : 'chain');
        return asJson(original);
      });
      if (!outcome.ok) return { ok: false, message: failureMessage(hook.spec, outcome.failure) };
      if (outcome.value === null) {
        return { ok: false, message: `${hook.spec}: It returned nothing. Return what next gave, or a result.` };
      }
      return { ok: true, result: toToolResult(outcome.value, original) };
    },
    async phase(hook, phase, context, control) {
      const { file, functionName } = hook;
      const view = { ...phaseView(context), hookType: phase };
      const outcome = await run(hook, { kind: 'phase', file, functionName, context: view }, control);
      if (!outcome.ok) return { ok: false, message: failureMessage(hook.spec, outcome.failure) };
      const read = phaseChanges(context, outcome.value);
      return read.ok ? read : { ok: false, message: `${hook.spec}: ${read.message}` };
    },
  };

  return {
    tools,
    hooks,
    async parse(card) {
      const issues: Issue[] = [];
      for (const { ref, use } of codeOf(card)) {
        const issue = unreadable(ref) ?? (await hostOf(ref.file)?.parse(ref, use));
        if (issue !== undefined) issues.push(issueOf(input.folder, card, ref, use, issue));
      }
      return issues;
    },
    async close() {
      js.close();
      await python.close();
    },
  };

  function hostOf(file: string): CodeHost | undefined {
    if (/\.py$/i.test(file)) return python;
    return /\.[cm]?[jt]s$/i.test(file) ? js : undefined;
  }

  /** Once per function and use; an aborted load is not remembered. */
  function load(ref: CodeRef, use: CodeUse, signal: AbortSignal): Promise<LoadedCode> {
    const key = JSON.stringify([ref.file, ref.functionName, use]);
    const known = loading.get(key);
    if (known !== undefined) return known;
    const made = loadNow(ref, use, signal);
    loading.set(key, made);
    void made.then((loaded) => {
      if (!loaded.ok && signal.aborted) loading.delete(key);
    });
    return made;
  }

  function unreadable(ref: CodeRef): HostIssue | undefined {
    if (hostOf(ref.file) === undefined) return notCode(ref);
    if (input.folder.get(ref.file)?.kind === 'text') return undefined;
    const message = `There is no text file '${ref.file}' in the project. Add it or correct the path.`;
    return { code: 'code-file-missing', message };
  }

  async function loadNow(ref: CodeRef, use: CodeUse, signal: AbortSignal): Promise<LoadedCode> {
    const host = hostOf(ref.file);
    const issue = unreadable(ref);
    if (issue !== undefined || host === undefined) return { ok: false, issue: issue ?? notCode(ref) };
    // One after another: a project with many files does not open many interpreters only to look at them.
    const loaded = queue.then(() => host.load(ref, use, signal));
    queue = loaded.catch(() => {});
    return loaded;
  }

  async function run(
    ref: CodeRef,
    call: GuestCall,
    control: HookControl,
    next?: CallControl['next'],
  ): Promise<GuestOutcome> {
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
    if (!outcome.ok) tellFrames(ref, outcome.failure, control);
    return outcome;
  }
}

function notCode({ file }: CodeRef): HostIssue {
  const message = `'${file}' is neither Python nor JavaScript. Use a .py, .ts or .js file.`;
  return { code: 'code-kind', message, place: { file, line: 1, column: 1 } };
}

/** The whole way to an error goes to the log; the result has only its place. */
function tellFrames(ref: CodeRef, failure: GuestFailure, control: HookControl): void {
  const { frames = [], message } = failure;
  if (frames.length === 0) return;
  const lines = frames.map(({ file, line, functionName }) => `  at ${functionName ?? '(top level)'} (${file}:${line})`);
  control.log({ level: 'error', code: 'code_raised', message: [`${ref.spec}: ${message}`, ...lines].join('\n') });
}

function* codeOf(card: AgentCard): Generator<{ ref: CodeRef; use: CodeUse }> {
  for (const tool of card.functionTools) yield { ref: refOf(tool), use: 'tool' };
  if (card.toolHooks.form === 'chain') {
    for (const ref of card.toolHooks.chain) yield { ref, use: 'middleware' };
  }
  if (card.toolHooks.form === 'phases') {
    for (const ref of Object.values(card.toolHooks.phases)) if (ref !== undefined) yield { ref, use: 'phase' };
  }
  for (const ref of Object.values(card.lifecycleHooks)) if (ref !== undefined) yield { ref, use: 'phase' };
}

function refOf(tool: AgentCard['functionTools'][number]): CodeRef {
  return { spec: tool.entrypoint, file: tool.file, functionName: tool.functionName };
}

function issueOf(folder: Folder, card: AgentCard, ref: CodeRef, use: CodeUse, issue: HostIssue): Issue {
  const what = use === 'tool' ? 'Function tool' : 'Hook';
  const { file, line, column } = issue.place ?? placeOfSpec(folder, card, ref.spec);
  return {
    code: issue.code,
    severity: 'error',
    stage: 'callboard',
    file,
    line,
    column: column ?? 1,
    message: `${what} '${ref.spec}': ${issue.message}`,
    agent: card.name,
  };
}

/** A result is JSON by construction; its optional fields only make its type say otherwise. */
function asJson(result: ToolResult): Json {
  const value = parseJson(JSON.stringify(result));
  return isRecord(value) ? (value ?? null) : null;
}
