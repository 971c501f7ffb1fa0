import type { DeclarativeOf } from '@/lib/cards/hook-settings';
import type { HookOutcome } from '@/lib/runtime/ports';
import type { LayerCall } from './hook-layer';

const maxChars = 2_000;

/**
 * `log` records one event `hook_log` when the call has ended. It has the call's name, how it ended, how long it took, and
 * the fields that the hook's settings ask for.
 */
export async function noteCall(hook: DeclarativeOf<'log'>, call: LayerCall): Promise<HookOutcome> {
  const { context, args, clock } = call;
  const begun = clock.now();
  const result = await call.next(args);
  const took = Math.round((clock.now() - begun) * 10) / 10;
  const outcome = result.isError ? `failed${result.errorCode ? ` (${result.errorCode})` : ''}` : 'ended';
  const parts = [
    `${hook.message ? `${hook.message}: ` : ''}${context.toolName} ${outcome} after ${took} ms.`,
    ...(hook.arguments ? [`Arguments: ${short(JSON.stringify(call.shown.arguments(args)))}`] : []),
    ...(hook.result ? [`Result: ${short(call.shown.result(result))}`] : []),
  ];
  call.log({ level: hook.level, code: 'hook_log', message: parts.join(' ') });
  return { ok: true, result };
}

function short(text: string): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
