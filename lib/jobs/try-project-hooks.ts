import type { HooksRequest, TaskAnswer } from '@/lib/base/task';
import { agentView } from '@/lib/cards/agent-view';
import { tryHooks } from '@/lib/runtime/hooks/try-hooks';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { toToolResult } from '@/lib/sandbox/tool-result';
import type { TaskProject } from './probe-project';
import type { RunContext } from './run-context';

/** An answer has at most this many characters of JSON text. */
const mostChars = 8_000_000;

/** Tries hooks of a project in the sandbox of its runs. */
export async function tryProjectHooks(
  { clock, python }: Pick<RunContext, 'clock' | 'python'>,
  { folder, reading }: TaskProject,
  request: HooksRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const { parsed } = reading;
  const card = parsed.cards.find(({ name }) => name === request.agent);
  if (card === undefined) {
    const message = `There is no agent '${request.agent}' any more. Choose another one.`;
    return { ok: false, code: 'not_found', message };
  }
  const code = createCodeHosts({ folder, python });
  try {
    const { call, only, result, state = {} } = request;
    const report = await tryHooks({
      card: agentView(card),
      settings: parsed.settings,
      port: code.hooks,
      clock,
      signal,
      only,
      tool: call.tool,
      source: call.source,
      serverName: call.server,
      args: call.arguments,
      result: toToolResult(result),
      state,
    });
    if (!report.ok) return { ok: false, ...report.error };
    if (JSON.stringify(report.value).length <= mostChars) return { ok: true, kind: 'hooks', report: report.value };
    const message = 'The hooks made more than 8 million characters of output. Try them on a smaller call.';
    return { ok: false, code: 'too_large', message };
  } finally {
    await code.close();
  }
}
