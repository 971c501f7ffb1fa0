import type { DeclarativeOf } from '@/lib/cards/hook-settings';
import type { HookOutcome } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import type { LayerCall } from './hook-layer';

/** `retry` repeats a failed call with the same arguments, after a growing delay. The last result counts. */
export async function retry(hook: DeclarativeOf<'retry'>, call: LayerCall): Promise<HookOutcome> {
  const { attempts, delay_ms, factor, max_delay_ms, on } = hook;
  let pause = delay_ms;
  let result = await call.next(call.args);
  for (let made = 1; made < attempts && mayPass(result, on) && !call.signal.aborted; made += 1) {
    if (pause > 0) await call.clock.sleep(Math.min(pause, max_delay_ms), call.signal);
    pause *= factor;
    if (call.signal.aborted) break;
    result = await call.next(call.args);
  }
  return { ok: true, result };
}

/** An error without a code comes from the tool itself. */
function mayPass(result: ToolResult, on: readonly string[]): boolean {
  return result.isError && on.includes(result.errorCode ?? 'TOOL_FAILED');
}
