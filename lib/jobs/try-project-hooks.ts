import type { HookChoice } from '@/lib/base/hook-report';
import { own } from '@/lib/base/own';
import type { HooksRequest, TaskAnswer } from '@/lib/base/task';
import { agentView } from '@/lib/cards/agent-view';
import type { Card, CodeRef } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Settings } from '@/lib/cards/settings';
import { pythonUses } from '@/lib/cards/trust/python-uses';
import { tryHooks } from '@/lib/runtime/hooks/try-hooks';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { toToolResult } from '@/lib/sandbox/tool-result';
import type { TaskProject } from './probe-project';
import type { RunContext } from './run-context';

/** An answer has at most this many characters of JSON text. */
const mostChars = 8_000_000;

/** Tries hooks of a project in the sandbox of its runs. */
export async function tryProjectHooks(
  { clock, python, accounts }: Pick<RunContext, 'clock' | 'python' | 'accounts'>,
  { folder, reading, needsConfirmation }: TaskProject,
  request: HooksRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const { parsed } = reading;
  const card = parsed.cards.find(({ name }) => name === request.agent);
  if (card === undefined) {
    const message = `There is no agent '${request.agent}' any more. Choose another one.`;
    return { ok: false, code: 'not_found', message };
  }
  const hidden = needsConfirmation || accounts ? hiddenPython(parsed, card, request.only) : undefined;
  if (hidden !== undefined) {
    const message = `Hook '${hidden}' is switched off and is in Python, so nobody has confirmed its file. Switch it on, confirm the list, then try it.`;
    return { ok: false, code: 'not_confirmed', message };
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

/** Returns the hook that is chosen, if it is in a Python file that only hooks name that are off. Nobody has confirmed such a file. */
function hiddenPython(parsed: ParsedFolder, card: Card, only: HookChoice | undefined): string | undefined {
  const chosen = only && codeOf(parsed.settings, card, only);
  if (chosen === undefined || !/\.py$/i.test(chosen.file)) return undefined;
  return pythonUses(parsed).some(({ ref }) => ref.file === chosen.file) ? undefined : chosen.spec;
}

function codeOf({ run_hooks, agent_hooks }: Settings, card: Card, only: HookChoice): CodeRef | undefined {
  const ofAgent = card.type === 'agent' ? card : undefined;
  if ('phase' in only) {
    const phases = ofAgent?.toolHooks.form === 'phases' ? ofAgent.toolHooks.phases : {};
    return own<CodeRef | undefined>({ ...phases, ...ofAgent?.lifecycleHooks }, only.phase);
  }
  if (only.origin === 'card')
    return ofAgent?.toolHooks.form === 'chain' ? ofAgent.toolHooks.chain[only.index] : undefined;
  const entry = (only.origin === 'run' ? run_hooks : own(agent_hooks, card.name))?.[only.index];
  return entry?.kind === 'code' ? entry.code : undefined;
}
