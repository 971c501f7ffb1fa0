import { textLines } from '@/lib/base/text-lines';
import type { CodeRef } from '@/lib/cards/card';
import type { CodeScan } from '@/lib/cards/code/definition';

/** The phases in which a hook may stop the turn for a person (docs/hooks.md). */
const stoppingPhases: readonly string[] = ['after_llm_call', 'after_tool_call'];

/**
 * Says that a hook calls `ctx.stop` where that raises. `phase` is `around` for middleware. Only the text of the function itself is
 * searched, to the next definition at the top level; a hook that stops through another function is not found.
 */
export function stopProblem(code: CodeRef, text: string, scan: CodeScan, phase: string): string | undefined {
  if (stoppingPhases.includes(phase)) return undefined;
  const found = scan.known.get(code.functionName);
  if (found?.kind !== 'function') return undefined;
  const next = [...scan.known.values()].map(({ line }) => line).filter((line) => line > found.line);
  const lines = textLines(text).slice(found.line - 1, Math.min(Number.POSITIVE_INFINITY, ...next) - 1);
  const at = lines.findIndex((line) => /^(?!\s*(?:#|\/\/|\*)).*\bctx\s*\.\s*stop\s*\(/.test(line.text));
  if (at === -1) return undefined;
  const where = phase === 'around' ? 'a hook that wraps calls' : phase;
  return `Hook '${code.spec}' calls 'ctx.stop' on line ${found.line + at} of '${code.file}', which raises in ${where}. Stop in after_llm_call or after_tool_call.`;
}
