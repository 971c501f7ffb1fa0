import type { DeclarativeOf } from '@/lib/cards/hook-settings';
import { errorResult } from '@/lib/runtime/record/tool-error';
import type { HookLayer, LayerCall } from './hook-layer';

/**
 * `rate_limit` allows at most `calls` calls in any window of `per_ms`, for the run, an instance or a tool. Further calls
 * wait in order of arrival, or are refused. The count is in the worker's memory, so a resumed run begins at zero.
 */
export function rateLimiter(hook: DeclarativeOf<'rate_limit'>): HookLayer['around'] {
  const { calls, per_ms, scope, on_limit } = hook;
  /**
   * Start times of the last `calls` calls of each key, oldest first. The start times of waiting calls are in the future.
   */
  const begun = new Map<string, number[]>();

  return async (call) => {
    const { clock, signal, context, args, next } = call;
    const key = keyOf(scope, call);
    const times = begun.get(key) ?? [];
    begun.set(key, times);
    const now = clock.now();
    const oldest = times.length < calls ? undefined : times[0];
    const at = Math.max(now, oldest === undefined ? now : oldest + per_ms, times.at(-1) ?? 0);
    if (at > now && on_limit === 'refuse') {
      const text = `Error: '${context.toolName}' may be called ${calls} times in ${per_ms} ms. Try again in ${Math.ceil(at - now)} ms.`;
      return { ok: true, result: errorResult('NOT_ALLOWED', text) };
    }
    // The call is counted before the wait, because two calls may arrive together.
    times.push(at);
    if (times.length > calls) times.shift();
    if (at > now) {
      call.noteWait();
      await clock.sleep(at - now, signal);
    }
    return { ok: true, result: await next(args) };
  };
}

function keyOf(scope: DeclarativeOf<'rate_limit'>['scope'], call: LayerCall): string {
  switch (scope) {
    case 'run':
      return '';
    case 'instance':
      return call.path;
    case 'tool':
      return call.context.toolName;
  }
}
