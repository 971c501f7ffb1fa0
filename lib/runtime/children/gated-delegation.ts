import type { JsonObject } from '@/lib/base/json';
import { decideAttachments } from '@/lib/cards/call-gate';
import { attachedFiles } from '@/lib/runtime/delegation/attachments';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import { workerCallName } from '@/lib/runtime/delegation/workers';
import type { Instance } from '@/lib/runtime/instance/instance';
import { answerOrAsk } from '@/lib/runtime/people/answer-or-ask';
import { argumentsHashOf } from '@/lib/runtime/people/arguments-hash';
import { withEdit, withEndOfTurn } from '@/lib/runtime/people/gate-result';
import { withHidden } from '@/lib/runtime/people/hidden-arguments';
import {
  decisionFor,
  denied,
  type GatedCall,
  hasNoGate,
  type Passed,
  passGate,
  questionOf,
  shownOf,
  unanswered,
} from '@/lib/runtime/people/pass-gate';
import { attachmentSentence, callSentence } from '@/lib/runtime/people/sentence';
import { pendingToolOf } from '@/lib/runtime/people/tool-identity';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { type Admission, admit, instanceOf } from './delegate';

/** An admitted call after the gate. */
export interface GatedDelegation {
  readonly admission: Admission;
  readonly args: JsonObject | undefined;
  /** Adds to the call's result what the gate has to say of it. */
  told(result: ToolResult): ToolResult;
}

/**
 * Lets a delegation through the gate, before its child starts. Each file is asked for first, then the call, as
 * docs/approvals.md says. Returns `undefined` if there is nothing to decide.
 */
export function gatedDelegation(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject | undefined,
  admission: Admission,
  slot: CallSlot,
): Promise<GatedDelegation> | undefined {
  if (!args || !admission.ok || hasNoGate(instance.run)) return undefined;
  return throughGate(instance, delegation, args, admission, slot);
}

async function throughGate(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject,
  admission: Extract<Admission, { ok: true }>,
  slot: CallSlot,
): Promise<GatedDelegation> {
  const { journal } = instance.run;
  const call = gatedCall(instance, delegation, args, admission);
  const { path } = instanceOf(instance, delegation, 1);
  // A child that has begun goes on: it was approved before. One that was refused has an end too, and no start.
  if (journal.isStarted(path)) {
    return afterEdit(instance, delegation, args, admission, recordedEdit(instance, call));
  }
  const isBlocked = decisionFor(instance, call).effect === 'deny';
  const files = isBlocked ? undefined : await askForFiles(instance, delegation, args, slot, new Set());
  const passed = files ?? (await passGate(instance, call, slot));
  // The instance is closed as one that was cancelled.
  if (instance.scope.reason) return { admission, args, told: asItIs };
  if (!passed.ok) return refused(passed, args);
  const edited = passed.isEdited ? passed.args : undefined;
  const done = afterEdit(instance, delegation, args, admission, edited);
  if (!edited || !done.admission.ok || !done.args) return done;
  const known = new Set(filesOf(instance, args).map((file) => file.path));
  const more = await askForFiles(instance, delegation, done.args, slot, known);
  return more?.ok === false ? refused(more, done.args) : done;
}

function gatedCall(
  instance: Instance,
  { route, step }: Delegation,
  args: JsonObject,
  { input }: Extract<Admission, { ok: true }>,
): GatedCall {
  const { run } = instance;
  const { child, tool, options, viaWorkerCall } = route;
  const { approval } = options;
  const edge = approval && { effect: approval, rule: `${edgeOf(instance, child.name)}.approval` };
  const shownInput = run.recordable(input);
  return {
    step,
    tool,
    names: viaWorkerCall ? [workerCallName, tool.name] : [tool.name],
    args: withoutWorker(args, viaWorkerCall),
    edge,
    child,
    sentence: () =>
      callSentence({
        agent: child.name,
        input: typeof shownInput === 'string' ? shownInput : '',
        attachments: filesOf(instance, args).map(({ path }) => path),
      }),
  };
}

/** Asks for each file that was not asked for yet. Resolves to a refusal, or `undefined` if the child may have them all. */
async function askForFiles(
  instance: Instance,
  { route, step }: Delegation,
  args: JsonObject,
  slot: CallSlot,
  known: ReadonlySet<string>,
): Promise<Extract<Passed, { ok: false }> | undefined> {
  const { run } = instance;
  const { child, tool, options } = route;
  const { effect, why } = decideAttachments(run.parsed.settings.approvals, options, edgeOf(instance, child.name));
  if (effect === 'allow') return undefined;
  const wanted = filesOf(instance, args).filter(({ path }) => !known.has(path));
  for (const { path, bytes } of wanted) {
    const file = { path, bytes, agent: child.name };
    const question = {
      ...questionOf(instance, 'attachment', attachmentSentence(path, bytes, child.name), { why, limit: undefined }),
      tool: pendingToolOf(tool, run, child),
      arguments: file,
      argumentsHash: argumentsHashOf(file),
    };
    const end = await answerOrAsk(instance, step, question, undefined, slot);
    if (end.outcome === 'answered' && end.answer.decision === 'approve') continue;
    return end.outcome === 'answered'
      ? denied(end.answer, 'result', `The file '${path}'`)
      : unanswered(path, end, { limit: undefined, onDenied: 'result' });
  }
  return undefined;
}

function afterEdit(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject,
  admission: Admission,
  edited: JsonObject | undefined,
): GatedDelegation {
  if (!edited) return { admission, args, told: asItIs };
  const { route } = delegation;
  // The worker is not among the arguments that a person may change.
  const given = route.viaWorkerCall ? { ...edited, worker: args.worker ?? null } : edited;
  const told = (result: ToolResult) => withEdit(instance, route.tool, edited, result);
  return { admission: admit(instance, delegation, given), args: given, told };
}

/** The arguments that a person gave before a child began, if the log has them. */
function recordedEdit(instance: Instance, { step, tool, args }: GatedCall): JsonObject | undefined {
  const { journal } = instance.run;
  const asked = [...journal.questions.values()].findLast((one) => one.step === step && one.what === 'approval');
  const end = asked && journal.questionEnd(asked.item);
  if (end?.outcome !== 'answered' || end.answer.decision !== 'edit' || !end.answer.arguments) return undefined;
  return withHidden(end.answer.arguments, shownOf(instance, tool, args), args);
}

function refused({ refusal, endsTurn }: Extract<Passed, { ok: false }>, args: JsonObject): GatedDelegation {
  const told = (result: ToolResult) => (endsTurn && result.isError ? withEndOfTurn(result) : result);
  return { admission: { ok: false, refusal }, args, told };
}

function asItIs(result: ToolResult): ToolResult {
  return result;
}

function filesOf({ run }: Instance, args: JsonObject): readonly { readonly path: string; readonly bytes: number }[] {
  return attachedFiles(run.folder, args.attachments);
}

function withoutWorker(args: JsonObject, viaWorkerCall: true | undefined): JsonObject {
  if (!viaWorkerCall) return args;
  const { worker: _worker, ...rest } = args;
  return rest;
}

function edgeOf({ plan }: Instance, child: string): string {
  return `delegations.${plan.card.name}.${child}`;
}
