import { assertNever } from '@/lib/base/assert';
import type { JsonObject } from '@/lib/base/json';
import type { DeclarativeHook } from '@/lib/cards/hook-settings';
import { fitsWhen } from '@/lib/cards/hook-when';
import type { HookOutcome } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { clampArgument, defaultArgument, renameArgument } from './arguments';
import { resultCache } from './cache';
import type { HookLayer, LayerCall } from './hook-layer';
import { noteCall } from './log';
import { rateLimiter } from './rate-limit';
import { createRedactor, redactArguments, redactResult } from './redact';
import { retry } from './retry';
import { truncateResult } from './truncate';

/** Makes a layer from a hook of callboard.yaml that needs no code. Throws for a `redact` pattern that RE2 cannot read. */
export function declarativeLayer(hook: DeclarativeHook): HookLayer {
  return {
    name: hook.kind,
    // The hook may be a guard, so its failure refuses the call.
    onError: 'fail',
    maxNext: hook.kind === 'retry' ? hook.attempts : 1,
    matches: (identity, names) => {
      // A delegation has its own retries (`max_attempts`), where each attempt is an instance.
      if (hook.kind === 'retry' && identity.toolSource === 'agent') return false;
      return fitsWhen(hook.when, identity, names);
    },
    ...behaviourOf(hook),
  };
}

function behaviourOf(hook: DeclarativeHook): Pick<HookLayer, 'around' | 'scrub'> {
  switch (hook.kind) {
    case 'block':
      return { around: ({ context }) => blocked(hook.message ?? `Tool '${context.toolName}' is not allowed here.`) };
    case 'clamp':
      return onArguments((args) => clampArgument(hook, args));
    case 'rename':
      return onArguments((args) => renameArgument(hook, args));
    case 'default':
      return onArguments((args) => defaultArgument(hook, args));
    case 'redact': {
      const redactor = createRedactor(hook);
      const [inArguments, inResult] = [hook.in !== 'result', hook.in !== 'arguments'];
      const cleanArguments = (args: JsonObject) => redactArguments(redactor, args);
      const cleanResult = (result: ToolResult) => redactResult(redactor, result);
      return {
        async around({ args, next }) {
          const result = await next(inArguments ? cleanArguments(args) : args);
          return { ok: true, result: inResult ? cleanResult(result) : result };
        },
        scrub: {
          ...(inArguments ? { arguments: cleanArguments } : {}),
          ...(inResult ? { result: cleanResult } : {}),
        },
      };
    }
    case 'truncate':
      return onResult((result) => truncateResult(hook, result));
    case 'rate_limit':
      return { around: rateLimiter(hook) };
    case 'retry':
      return { around: (call) => retry(hook, call) };
    case 'cache':
      return { around: resultCache(hook) };
    case 'log':
      return { around: (call) => noteCall(hook, call) };
    default:
      return assertNever(hook);
  }
}

function onArguments(change: (args: JsonObject) => JsonObject): Pick<HookLayer, 'around'> {
  return { around: async ({ args, next }: LayerCall) => ({ ok: true, result: await next(change(args)) }) };
}

function onResult(change: (result: ToolResult) => ToolResult): Pick<HookLayer, 'around'> {
  return { around: async ({ args, next }: LayerCall) => ({ ok: true, result: change(await next(args)) }) };
}

function blocked(message: string): HookOutcome {
  return { ok: true, result: errorResult('NOT_ALLOWED', `Error: ${message}`) };
}
