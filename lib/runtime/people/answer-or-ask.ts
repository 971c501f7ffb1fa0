import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { ItemEnd, PersonAnswer } from '@/lib/base/pending';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { Question } from '@/lib/runtime/instance/questions';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import { askPerson, endOfQuestion, withIntegers } from './ask-person';
import { matchGrant } from './match-grant';

/**
 * Answers a question of the gate without a person where a remembered approval or the mode of the project does, and otherwise
 * asks. Both are in the log. A person may have answered a question of an earlier execution before the approval was remembered: the
 * port says which of the two was first. `args` are those of the call before redaction; only calls have remembered approvals. A
 * hook that stops a turn asks without a slot.
 */
export async function answerOrAsk(
  instance: Instance,
  step: StepKey,
  question: Question,
  args: JsonObject | undefined,
  slot: CallSlot | undefined,
): Promise<ItemEnd> {
  const { run, spec, scope } = instance;
  if (scope.reason) return { outcome: 'withdrawn' };
  const granted = args && grantedAnswer(instance, question, args);
  const answer = granted ?? modeAnswer(instance, question);
  if (!answer) {
    // A person may take long, and later calls of the same child must not wait for it.
    slot?.childTurn?.order.settle(slot.childTurn.index);
    return askPerson(instance, step, question, slot?.permit);
  }
  const { item, end: recorded, wasAsked } = run.questions.ask(spec.path, step, question);
  // What was decided before counts, whatever is remembered now.
  if (recorded) return withIntegers(question, recorded);
  const { people } = run.ports;
  if (wasAsked && granted && people?.offer) {
    slot?.childTurn?.order.settle(slot.childTurn.index);
    people.offer(item, granted);
    return await endOfQuestion(instance, people, item, slot?.permit);
  }
  const end: ItemEnd = { outcome: 'answered', answer };
  run.questions.end(item, end);
  return end;
}

function grantedAnswer({ run, spec }: Instance, question: Question, args: JsonObject): PersonAnswer | undefined {
  const grants = run.ports.people?.grants?.() ?? [];
  const { tool, argumentsHash, cardHash } = question;
  if (grants.length === 0 || !tool || argumentsHash === undefined || cardHash === undefined) return undefined;
  const { name, serverName, schemaHash } = tool;
  const agent = spec.card.name;
  const call = { tool: name, serverName, agent, schemaHash, cardHash, argumentsHash, arguments: args };
  const grant = matchGrant(grants, call, run.ports.clock.now());
  if (!grant) return undefined;
  const note = `Remembered approval of ${grant.by}.`;
  return { decision: 'approve', note, grant: grant.id, by: 'grant', via: 'run' };
}

function modeAnswer({ run }: Instance, { why }: Question): PersonAnswer | undefined {
  switch (run.parsed.settings.approvals.mode) {
    case 'approve_all':
      // The project cannot approve what a rule of the team asks for.
      if (why?.level === 'team') return undefined;
      return { decision: 'approve', by: 'policy', via: 'run' };
    case 'reject_all':
      return { decision: 'deny', note: "'approvals.mode' is reject_all.", by: 'policy', via: 'run' };
    default:
      return undefined;
  }
}
