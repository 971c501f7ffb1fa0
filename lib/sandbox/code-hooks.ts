import { exactJson, parseExactJson, restoreIntegers } from '@/lib/base/exact-json';
import type { Issue } from '@/lib/base/issue';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { Folder } from '@/lib/cards/folder';
import type { HookPort } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { codeOf, issueOf } from './card-code';
import type { CodeLoader } from './code-loader';
import type { SandboxCall } from './host/protocol';
import { phaseChanges, phaseView } from './phase-view';
import { failureMessage, toToolResult } from './tool-result';

/** Runs the hooks of a project's cards. */
export function codeHooks(folder: Folder, loader: CodeLoader): HookPort {
  return {
    async load(card, signal) {
      const issues: Issue[] = [];
      for (const { ref, use } of codeOf(card)) {
        const loaded = await loader.load(ref, use, signal);
        if (!loaded.ok) issues.push(issueOf(folder, card, ref, use, loaded.issue));
      }
      return issues;
    },
    async around(hook, context, args, next, control) {
      let original: ToolResult | undefined;
      const { file, functionName } = hook;
      const call: SandboxCall = { kind: 'around', file, functionName, context: { ...context }, args };
      // Python holds integers of any size, so what it changed was meant.
      const isExact = file.endsWith('.py');
      const outcome = await loader.run(hook, call, control, async (changed, bare) => {
        original = await next(isExact ? changed : restoredObject(args, changed), bare ? 'tool' : 'chain');
        return asJson(original);
      });
      if (!outcome.ok) return { ok: false, message: failureMessage(hook.spec, outcome.failure) };
      if (outcome.value === null) {
        return { ok: false, message: `${hook.spec}: It returned nothing. Return what next gave, or a result.` };
      }
      const value = isExact ? outcome.value : restoreIntegers(asJson(original), outcome.value);
      return { ok: true, result: toToolResult(value, original) };
    },
    async phase(hook, phase, context, control) {
      const { file, functionName } = hook;
      const view = { ...phaseView(context), hookType: phase };
      const outcome = await loader.run(hook, { kind: 'phase', file, functionName, context: view }, control);
      if (!outcome.ok) return { ok: false, message: failureMessage(hook.spec, outcome.failure) };
      const read = phaseChanges(context, outcome.value, { isExact: file.endsWith('.py') });
      return read.ok ? read : { ok: false, message: `${hook.spec}: ${read.message}` };
    },
  };
}

/** A result holds only JSON, but its type has optional fields, which the type `Json` does not allow. */
function asJson(result: ToolResult | undefined): Json {
  const text = result && exactJson({ ...result });
  return (text && parseExactJson(text)) || null;
}

/** JavaScript rounds large integers. A hook that hands its arguments on unchanged must not change them. */
function restoredObject(before: JsonObject, after: JsonObject): JsonObject {
  const value = restoreIntegers(before, after);
  return isObject(value) ? value : after;
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}
