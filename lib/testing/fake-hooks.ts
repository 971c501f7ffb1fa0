import type { Issue } from '@/lib/base/issue';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard, CodeRef } from '@/lib/cards/card';
import type { HookContext, HookControl, HookPort, NextLayer } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';

export interface FakeHook {
  /** Runs as middleware. An exception is one of the hook. A returned string is a text result. */
  readonly around?: (
    context: HookContext,
    args: JsonObject,
    next: NextLayer,
    control: HookControl,
  ) => ToolResult | string | Promise<ToolResult | string>;
  /** Returns the changes, or `undefined` for no changes. */
  readonly phase?: (
    context: JsonObject,
    phase: string,
    control: HookControl,
  ) => JsonObject | undefined | Promise<JsonObject | undefined>;
}

export interface FakeHooks extends HookPort {
  /** The names of the hooks that ran, in order, with the phase of phase hooks: `audit`, `trim after_turn_complete`. */
  readonly ran: string[];
  readonly loaded: AgentCard[];
}

/** Makes a hook port with these functions, by name. */
export function fakeHooks(hooks: Readonly<Record<string, FakeHook>>, issues: readonly Issue[] = []): FakeHooks {
  const ran: string[] = [];
  const loaded: AgentCard[] = [];
  return {
    ran,
    loaded,
    load(card) {
      loaded.push(card);
      return Promise.resolve(issues);
    },
    async around(hook, context, args, next, control) {
      ran.push(hook.functionName);
      try {
        const result = await hooks[hook.functionName]?.around?.(context, args, next, control);
        if (result === undefined) return { ok: false, message: 'there is no such hook' };
        return { ok: true, result: typeof result === 'string' ? textResult(result) : result };
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) };
      }
    },
    async phase(hook, phase, context, control) {
      ran.push(`${hook.functionName} ${phase}`);
      try {
        return { ok: true, changes: (await hooks[hook.functionName]?.phase?.(context, phase, control)) ?? {} };
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

/** Returns the reference of a function in hooks.py: `hookRef('audit')` names `audit`. */
export function hookRef(functionName: string): CodeRef {
  return { spec: `hooks.py:${functionName}`, file: 'hooks.py', functionName };
}

export function chainOf(...names: readonly string[]): Pick<AgentCard, 'toolHooks'> {
  return { toolHooks: { form: 'chain', chain: names.map(hookRef) } };
}

export function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: false };
}
