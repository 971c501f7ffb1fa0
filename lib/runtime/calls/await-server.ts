import type { StepKey } from '@/lib/base/ids';
import type { Instance } from '@/lib/runtime/instance/instance';
import { readySurface } from '@/lib/runtime/instance/ready-surface';
import { argumentsHashOf } from '@/lib/runtime/people/arguments-hash';
import { askPerson, endOfQuestion } from '@/lib/runtime/people/ask-person';
import { questionOf } from '@/lib/runtime/people/pass-gate';
import { serverSentence } from '@/lib/runtime/people/sentence';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { callAround, serverWaitKey } from '@/lib/runtime/record/step-key';
import { cancelledResult, errorResult } from '@/lib/runtime/record/tool-error';
import type { ToolRoute } from '@/lib/runtime/surface/route';

export type PortRoute = Extract<ToolRoute, { kind: 'port' }>;

/**
 * Returns the server that a call of a resumed run needs and that does not answer now, if people were asked in that call; `undefined`
 * for any other call. What people decided must not be lost because the server is down.
 */
export function awaitedServer({ run }: Instance, step: StepKey): string | undefined {
  if (!run.ports.people) return undefined;
  for (const question of run.journal.questions.values()) {
    if (question.step !== step && callAround(question.step) !== step) continue;
    const server = question.tool?.serverName ?? question.server?.serverName;
    if (server !== undefined && isDown(run, server)) return server;
  }
  return undefined;
}

export function isDown({ setups }: Instance['run'], server: string): boolean {
  return setups.failedServers()?.some(({ name }) => name === server) === true;
}

/**
 * Waits for a tool whose server is down: a person tries again or gives up, and the run may be suspended meanwhile. Whenever the run is
 * resumed, the server is tried too. Returns the route of the tool, or the result of the call without it.
 */
export async function routeWhenBack(
  instance: Instance,
  step: StepKey,
  { name, serverName }: { readonly name: string; readonly serverName: string },
  slot: CallSlot,
): Promise<PortRoute | ToolResult> {
  const { run, scope } = instance;
  const refusal = await decidedAgainst(instance, step, slot);
  if (refusal) return refusal;
  const server = { serverName, shows: 'retry' as const };
  for (;;) {
    const question = {
      ...questionOf(instance, 'approval', serverSentence(server), { why: undefined, limit: undefined }),
      server,
      argumentsHash: argumentsHashOf([serverName, name], run.ports.hash?.now),
    };
    const end = await askPerson(instance, serverWaitKey(step), question, slot.permit);
    if (scope.reason || end.outcome === 'withdrawn') return cancelledResult;
    if (end.outcome !== 'answered' || end.answer.decision !== 'approve') {
      const message = `The call of '${name}' was approved, but server '${serverName}' cannot be reached, and nothing ran. Do the task without it.`;
      return errorResult('SERVER_UNAVAILABLE', `Error: ${message}`);
    }
    const route = (await readySurface(instance))?.routes.get(name);
    if (route?.kind === 'port') return route;
    if (!isDown(run, serverName)) {
      const message = `Tool '${name}' was approved, but it is not available any more. Do the task without it.`;
      return errorResult('UNKNOWN_TOOL', `Error: ${message}`);
    }
  }
}

/** Waits for the answers to what the call has asked before, and records them. A denial needs no server. */
async function decidedAgainst(instance: Instance, step: StepKey, slot: CallSlot): Promise<ToolResult | undefined> {
  const { questions, ports } = instance.run;
  if (!ports.people) return undefined;
  const waits = serverWaitKey(step);
  for (const { item, what, step: asker } of questions.openOf(step)) {
    if (asker === waits) continue;
    const end = await endOfQuestion(instance, ports.people, item, slot.permit);
    const answer = end.outcome === 'answered' ? end.answer : undefined;
    if (instance.scope.reason) return cancelledResult;
    if (what !== 'approval' || (answer && answer.decision !== 'deny')) continue;
    const note = answer?.note ? ` Reason: ${answer.note}` : '';
    const message = 'Operation cancelled. This call was not approved, so nothing ran.';
    return errorResult('APPROVAL_DENIED', `Error: ${message}${note}`);
  }
  return undefined;
}
