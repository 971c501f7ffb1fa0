import { decisionsFor } from '@/lib/base/answer-rules';
import { AppError } from '@/lib/base/app-error';
import { integersOfSchema } from '@/lib/base/exact-json';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import { type SchemaProblem, schemaCheck } from '@/lib/base/json-schema';
import type { Grant, PendingQuestion, PersonAnswer } from '@/lib/base/pending';
import type { AnswerInput } from '@/lib/base/pending-info';

/**
 * Checks what a person sent for a question, and returns the answer as it is kept. Throws AppError `bad_request`; its `details` name
 * the field where it is known.
 */
export function checkAnswer(
  question: PendingQuestion,
  input: AnswerInput,
  who: Pick<PersonAnswer, 'by' | 'via'>,
): PersonAnswer {
  const { decision } = input;
  const allowed = decisionsFor(question);
  if (!allowed.includes(decision)) {
    throw wrong(
      'decision',
      `is '${decision}', but this question takes ${allowed.map((each) => `'${each}'`).join(', ')}`,
    );
  }
  if (input.arguments !== undefined && decision !== 'edit')
    throw wrong('arguments', "are for the decision 'edit' alone");
  if (input.content !== undefined && decision !== 'answer')
    throw wrong('content', "is for the decision 'answer' alone");
  const note = input.note?.trim();
  return {
    decision,
    ...(decision === 'edit' && { arguments: checkEdited(question, input.arguments) }),
    ...(decision === 'answer' && { content: checkContent(question, input.content) }),
    ...(note !== undefined && note !== '' && { note }),
    ...who,
  };
}

function checkEdited({ form }: PendingQuestion, args: JsonObject | undefined): JsonObject {
  if (args === undefined) throw wrong('arguments', "are missing: the decision 'edit' needs them");
  checkForm(form, args, 'arguments');
  return args;
}

function checkContent({ form }: PendingQuestion, content: Json | undefined): Json {
  if (content === undefined) throw wrong('content', "is missing: the decision 'answer' needs it");
  checkForm(form, content, 'content');
  return content;
}

function checkForm(form: JsonObject | undefined, value: Json, root: string): void {
  if (form === undefined) return;
  const check = schemaCheck(form, 'draft-07');
  if (!check.ok) throw wrong(root, `cannot be checked, because the form itself cannot be used: ${check.error}`);
  const [problem] = check.value(integersOfSchema(form, value));
  if (problem !== undefined) throw wrong(fieldOf(root, problem), problem.message ?? 'is not valid');
}

/** The name of the field, such as `arguments.to` or `content.people.0`. */
function fieldOf(root: string, { instancePath, params }: SchemaProblem): string {
  const path = instancePath.split('/').slice(1);
  const missing: unknown = params.missingProperty;
  const extra: unknown = params.additionalProperty;
  for (const name of [missing, extra]) if (typeof name === 'string') path.push(name);
  return [root, ...path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))].join('.');
}

/** Returns what an approval shall be remembered as. Throws AppError `bad_request`. */
export function checkRemember(
  question: PendingQuestion,
  { decision, remember }: AnswerInput,
  agentName: string | undefined,
): Omit<Grant, 'id' | 'by' | 'at'> | undefined {
  if (remember === undefined) return undefined;
  const { what, tool, argumentsHash, cardHash } = question;
  // A file is approved for one call. It must not become an approval of all calls.
  if (decision !== 'approve' || what !== 'approval' || tool === undefined)
    throw wrong('remember', 'is for the approval of a tool call alone');
  const { scope, match, expiresAt } = remember;
  if (match === 'equal' && argumentsHash === undefined)
    throw wrong('remember.match', "cannot be 'equal' for this call");
  if (typeof match === 'object') {
    const args = new Set(Object.keys(question.arguments ?? {}));
    const unknown = Object.keys(match).find((name) => !args.has(name));
    if (unknown !== undefined) throw wrong(`remember.match.${unknown}`, 'is no argument of this call');
  }
  if (scope === 'agent' && agentName === undefined)
    throw wrong('remember.scope', "cannot be 'agent': the agent is not known");
  return {
    scope,
    tool: tool.name,
    ...(tool.serverName !== undefined && { serverName: tool.serverName }),
    // Other scopes reach other agents too, whose cards are others.
    ...(scope === 'agent' && { agent: agentName, ...(cardHash !== undefined && { cardHash }) }),
    schemaHash: tool.schemaHash,
    ...(match === 'equal' && { argumentsHash }),
    ...(typeof match === 'object' && { patterns: match }),
    ...(expiresAt !== undefined && { expiresAt: brandAs<EpochMs>(expiresAt) }),
  };
}

function wrong(field: string, problem: string): AppError {
  return new AppError('bad_request', `${field}: ${problem}.`, { field });
}
