import { brandAs, type EpochMs, type StepKey } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import { schemaCheck } from '@/lib/base/json-schema';
import type { ItemEnd, PendingKind, PendingTool, PersonAnswer } from '@/lib/base/pending';
import type { ApprovalEffect } from '@/lib/cards/approval-settings';
import { decide, type GateDecision, isOpen, reachingOut } from '@/lib/cards/call-gate';
import type { Card } from '@/lib/cards/card';
import { identityOf } from '@/lib/cards/hook-when';
import type { PolicyRule } from '@/lib/cards/policy/rule';
import type { Settings } from '@/lib/cards/settings';
import { schemaFault } from '@/lib/runtime/delegation/check-input';
import { shownArguments } from '@/lib/runtime/hooks/call-hooks';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { Refusal } from '@/lib/runtime/instance/instance-spec';
import type { Question } from '@/lib/runtime/instance/questions';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import { demandedApproval } from '@/lib/runtime/policy/call-policy';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { answerOrAsk } from './answer-or-ask';
import { argumentsHashOf } from './arguments-hash';
import { withHidden } from './hidden-arguments';
import { cardHashOf, pendingToolOf } from './tool-identity';

/** A call that comes to the gate, after its hooks. */
export interface GatedCall {
  readonly step: StepKey;
  readonly tool: ToolDescriptor;
  /** Every name that rules may know the tool by. */
  readonly names: readonly string[];
  readonly args: JsonObject;
  readonly edge?: { readonly effect: ApprovalEffect; readonly rule: string } | undefined;
  /** The agent that the call runs. */
  readonly child?: Card;
  /** Says what will happen. `shown` are the arguments without secrets. */
  sentence(shown: Json): string;
}

/** `args` are what the tool runs with. `endsTurn`: the refusal ends the turn of the agent that made the call. */
export type Passed =
  | { readonly ok: true; readonly args: JsonObject; readonly isEdited: boolean; readonly hasAsked: boolean }
  | { readonly ok: false; readonly refusal: Refusal; readonly endsTurn: boolean };

export const humanInputName = '__human_input';

/**
 * Decides whether a call may run, and asks a person where the settings say so. A hook that repeats a call with the same
 * arguments does not ask again: one answer is for one call.
 */
export async function passGate(instance: Instance, call: GatedCall, slot: CallSlot): Promise<Passed> {
  const { run } = instance;
  const { tool, args } = call;
  const decision = decisionFor(instance, call);
  // A tool that asks a person is not asked for first.
  const asksItself = tool.source === 'runtime' && tool.name === humanInputName;
  if (decision.effect === 'allow' || (decision.effect === 'ask' && asksItself))
    return { ok: true, args, isEdited: false, hasAsked: false };
  if (decision.effect === 'deny') return blocked(call, decision);
  const asked = {
    tool: pendingToolOf(tool, run, call.child),
    argumentsHash: argumentsHashOf(args, run.ports.hash?.now),
  };
  const answers = answersOf(slot);
  const key = `${asked.tool.schemaHash} ${asked.argumentsHash}`;
  const known = answers.get(key);
  if (known) return known;
  const passed = await ask(instance, call, decision, asked, slot);
  answers.set(key, passed);
  return passed;
}

/** Decides about a call by the settings of the project and the rules of the team. */
export function decisionFor(instance: Instance, { tool, names, edge }: GatedCall): GateDecision {
  const { parsed, ports } = instance.run;
  return decideCall(parsed.settings, ports.policy ?? [], { tool, names, callers: callersOf(instance), edge });
}

/** Decides about a call that these agents make: the calling one, and those that created it. */
export function decideCall(
  { approvals }: Pick<Settings, 'approvals'>,
  policy: readonly PolicyRule[],
  { tool, names, callers, edge }: Pick<GatedCall, 'tool' | 'names' | 'edge'> & { readonly callers: readonly string[] },
): GateDecision {
  const isInternal = tool.source === 'runtime' && !reachingOut.includes(tool.name);
  const own = decide(approvals, { tools: names, callers, edge, isInternal });
  const demanded = demandedApproval(policy, { tool, names, callers });
  if (demanded === undefined || own.effect === 'deny') return own;
  const why = { rule: demanded.name, level: 'team' } as const;
  return { ...own, effect: 'ask', why, editable: own.effect === 'allow' || own.editable };
}

/** True if no call of the run can ask or be denied. */
export function hasNoGate({ parsed, ports: { policy = [] } }: Instance['run']): boolean {
  return isOpen(parsed.settings) && !policy.some(({ demand }) => demand.kind === 'approval');
}

async function ask(
  instance: Instance,
  call: GatedCall,
  decision: GateDecision,
  asked: { readonly tool: PendingTool; readonly argumentsHash: string },
  slot: CallSlot,
): Promise<Passed> {
  const { tool, args, step } = call;
  const shown = shownOf(instance, tool, args, call.names);
  // A text stands for arguments that are too long to be shown whole.
  const isEditable = decision.editable && typeof shown === 'object' && schemaFault(tool.inputSchema) === undefined;
  const question: Question = {
    ...questionOf(instance, 'approval', call.sentence(shown), decision),
    ...asked,
    arguments: shown,
    form: tool.inputSchema,
    ...(isEditable && { editable: true }),
  };
  const end = await answerOrAsk(instance, step, question, args, slot);
  if (end.outcome !== 'answered') return unanswered(call.tool.name, end, decision);
  const { answer } = end;
  if (answer.decision === 'approve') return { ok: true, args, isEdited: false, hasAsked: true };
  if (answer.decision !== 'edit') return denied(answer, decision.onDenied);
  const whole = isEditable && answer.arguments ? withHidden(answer.arguments, shown, args) : undefined;
  const problem = whole ? editProblem(tool.inputSchema, whole) : 'they cannot be told from what was hidden';
  if (!whole || problem !== undefined) {
    const message = `A person changed the arguments of this call, but they cannot be used: ${problem}. It did not run.`;
    return { ok: false, refusal: { code: 'INPUT_VALIDATION', message }, endsTurn: false };
  }
  return { ok: true, args: whole, isEdited: true, hasAsked: true };
}

/** Returns what every question of the gate says. */
export function questionOf(
  instance: Instance,
  what: PendingKind,
  sentence: string,
  { why, limit }: Pick<GateDecision, 'why' | 'limit'>,
): Question {
  const { run, spec } = instance;
  const said = saidBefore(instance);
  const at = limit && brandAs<EpochMs>(run.ports.clock.now() + limit.seconds * 1_000);
  return {
    what,
    sentence,
    cardHash: cardHashOf(spec.card),
    ...(why && { why }),
    ...(said !== '' && { said }),
    ...(limit && at !== undefined && { limit: { at, outcome: limit.outcome } }),
  };
}

/** Returns arguments as people may see them: without secrets, and cut if they are too long. */
export function shownOf(
  instance: Instance,
  { source, serverName, name }: ToolDescriptor,
  args: JsonObject,
  names: readonly string[] = [name],
): Json {
  return instance.run.recordable(shownArguments(instance, identityOf(source, serverName, name), names, args));
}

/** The calling agent, then the agents that it was created by. */
export function callersOf({ run, spec }: Instance): readonly string[] {
  const { name } = spec.card;
  const creator = run.createdAgents.get(name)?.creator.name;
  return creator === undefined ? [name] : [name, creator];
}

const saidCharacters = 2_000;

/** Returns what the model said before its calls. */
function saidBefore({ run, messages }: Instance): string {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const text = last?.role === 'assistant' ? textOf(last.content).trim() : '';
  const shown = run.recordable(text.slice(0, saidCharacters));
  return typeof shown === 'string' ? shown : '';
}

function editProblem(schema: JsonObject, args: JsonObject): string | undefined {
  const check = schemaCheck(schema, 'draft-07');
  if (!check.ok) return check.error;
  const [problem] = check.value(args);
  return problem && `'${problem.instancePath.slice(1)}' ${problem.message ?? 'is not valid'}`;
}

function blocked({ tool }: GatedCall, { why, onDenied }: GateDecision): Extract<Passed, { ok: false }> {
  const message = `'${tool.name}' is not allowed in this project. Do the task without it.`;
  const advice = why && `Change '${why.rule}' in callboard.yaml if it should run.`;
  const refusal: Refusal = { code: 'APPROVAL_BLOCKED', message, ...(advice !== undefined && { advice }) };
  return { ok: false, refusal, endsTurn: onDenied === 'fail' };
}

/** Returns the refusal of a call that a person or a policy denied. `what` is what they denied, as the beginning of a sentence. */
export function denied(
  { by, note }: PersonAnswer,
  onDenied: GateDecision['onDenied'],
  what = 'This call',
): Extract<Passed, { ok: false }> {
  const reason = note?.trim() ?? '';
  const message =
    by === 'policy'
      ? `${what} needs approval, and nothing ran. ${reason}`.trim()
      : reason === ''
        ? `Operation cancelled. ${what} was denied by a person, so nothing ran.`
        : `${what} was denied by a person, so nothing ran. Reason: ${reason}`;
  return { ok: false, refusal: { code: 'APPROVAL_DENIED', message }, endsTurn: onDenied === 'fail' };
}

/** Returns the refusal of a call whose question has no answer. */
export function unanswered(
  what: string,
  { outcome }: ItemEnd,
  { limit, onDenied }: Pick<GateDecision, 'limit' | 'onDenied'>,
): Extract<Passed, { ok: false }> {
  if (outcome !== 'expired') {
    return { ok: false, refusal: { code: 'AGENT_CANCELLED', message: 'The call was cancelled.' }, endsTurn: false };
  }
  const time = limit ? ` within ${limit.seconds} s` : ' in time';
  const message = `This call needs approval, and nobody answered${time}, so '${what}' did not run.`;
  const endsTurn = limit?.outcome === 'fail' || onDenied === 'fail';
  return { ok: false, refusal: { code: 'APPROVAL_DENIED', message }, endsTurn };
}

/** What was decided about each set of arguments of a call. */
const decided = new WeakMap<CallSlot, Map<string, Passed>>();

function answersOf(slot: CallSlot): Map<string, Passed> {
  const known = decided.get(slot) ?? new Map<string, Passed>();
  decided.set(slot, known);
  return known;
}
