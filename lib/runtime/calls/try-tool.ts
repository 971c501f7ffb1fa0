import { argumentProblems, problemWords } from '@/lib/base/argument-problems';
import type { Clock } from '@/lib/base/clock';
import { integersOfSchema } from '@/lib/base/exact-json';
import { brandAs, type CallId, type CorrelationId, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { ArgumentProblem, ToolReport } from '@/lib/base/tool-report';
import type { GateDecision } from '@/lib/cards/call-gate';
import type { AgentCard } from '@/lib/cards/card';
import type { PolicyRule } from '@/lib/cards/policy/rule';
import type { Settings } from '@/lib/cards/settings';
import { decideCall } from '@/lib/runtime/people/pass-gate';
import { hookBreaches } from '@/lib/runtime/policy/call-policy';
import type { ArtifactAccess, LogBody, ToolCallContext, ToolDescriptor, ToolPort } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { limitResult } from '@/lib/runtime/record/result-size';
import { errorResult, thrownMessage } from '@/lib/runtime/record/tool-error';
import { limitsOf } from '@/lib/runtime/request/limits';
import { callState } from '@/lib/runtime/state/call-state';

export interface ToolToTry {
  /** The agent that has the tool. Of its servers and functions, those that need not start may be left out. */
  readonly card: AgentCard;
  readonly settings: Settings;
  /** The rules of the team. */
  readonly policy: readonly PolicyRule[];
  readonly port: ToolPort;
  /** The tool's name as the model sees it. */
  readonly tool: string;
  /** Without them the tool is only looked up. */
  readonly args: JsonObject | undefined;
  /** The schema of the arguments as it was told before, if it is known: by it they are checked before anything starts. */
  readonly knownSchema?: JsonObject | undefined;
  /** Calls the tool also with arguments that do not fit its schema. */
  readonly unchecked: boolean;
  /** True if somebody who may answer questions of the project has approved this call. */
  readonly isApproved: boolean;
  /** No other try has it. Tools get it as the key by which they recognise a repeated call. */
  readonly id: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  log(body: LogBody): void;
}

export type TriedTool = Omit<ToolReport, 'agent' | 'log'>;

/** Why a tool was not called. `problems` are those of its arguments. */
export interface TryRefusal extends RunError {
  readonly problems?: readonly ArgumentProblem[];
}

/**
 * Looks up a tool of an agent, and calls it once, with the port that calls it in a run. No model is asked and no hooks run. What
 * forbids a call in a run forbids it here: the project's approvals, and rules of the team about approvals and hooks. Errors say
 * why the tool was not called: `not_found`, `not_available`, `invalid_arguments`, `policy`, `denied`, and `approval_needed` if
 * somebody has to approve the call first. A tool that fails is a result.
 */
export async function tryTool(tried: ToolToTry): Promise<Result<TriedTool, TryRefusal>> {
  const { clock, port, card, args, signal, knownSchema } = tried;
  const early = args && knownSchema && misfit(tried, knownSchema, args);
  if (early !== undefined) return err(early);
  const triedAt = clock.now();
  const found = await lookUp(tried);
  if (!found.ok) return found;
  const { name, description, inputSchema } = found.value;
  const about = { tool: name, description, inputSchema, readyMs: clock.now() - triedAt, triedAt };
  if (args === undefined) return ok({ ...about, ms: 0 });
  const refusal = misfit(tried, inputSchema, args) ?? ruleAgainst(tried, found.value);
  if (refusal !== undefined) return err(refusal);
  const state = callState({});
  const calledAt = clock.now();
  const result = await port
    .call(found.value, exactArguments(inputSchema, args), contextOf(tried, card, state))
    .catch((error: unknown) => errorResult('TOOL_FAILED', `Error: ${thrownMessage(error)}`));
  const ms = clock.now() - calledAt;
  if (signal.aborted) return err({ code: 'cancelled', message: 'It was stopped.' });
  const limited = limitResult(result, limitsOf(tried.settings).maxResultBytes);
  const written = result.isError ? {} : state.written;
  return ok({ ...about, ms, result: asJson(limited), ...(Object.keys(written).length > 0 && { state: written }) });
}

async function lookUp({ port, card, tool, signal, log }: ToolToTry): Promise<Result<ToolDescriptor, RunError>> {
  const { tools, issues } = await port.list(card, signal);
  const found = tools.find(({ name }) => name === tool);
  const [fault] = issues.filter(({ severity }) => severity === 'error');
  if (found !== undefined) {
    for (const { severity, message } of issues) {
      log({ level: severity === 'error' ? 'error' : 'warning', code: 'server_item', message });
    }
    return ok(found);
  }
  if (fault !== undefined) return err({ code: 'not_available', message: fault.message });
  const message = `Agent '${card.name}' has no tool '${tool}'. Its card may leave it out, or its server does not list it any more.`;
  return err({ code: 'not_found', message });
}

function misfit({ unchecked, tool }: ToolToTry, schema: JsonObject, args: JsonObject): TryRefusal | undefined {
  if (unchecked) return undefined;
  const problems = argumentProblems(schema, exactArguments(schema, args)).slice(0, mostProblems);
  if (problems.length === 0) return undefined;
  const message = `The arguments do not fit '${tool}', so it was not called: ${problemWords(problems)}.`;
  return { code: 'invalid_arguments', message, problems };
}

/** Pages write integers beyond 2^53 as their digits in text. */
function exactArguments(schema: JsonObject, args: JsonObject): JsonObject {
  const exact = integersOfSchema(schema, args);
  return isJsonObject(exact) ? exact : args;
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}

const mostProblems = 100;

/** Returns the reason why the rules of the team or the project keep the call from being made. */
function ruleAgainst(tried: ToolToTry, tool: ToolDescriptor): RunError | undefined {
  const { card, settings, policy, log } = tried;
  const call = { tool, names: [tool.name], callers: [card.name] };
  for (const { rule, message } of hookBreaches(policy, call, [])) {
    if (rule.level === 'block') {
      return { code: 'policy', message: `${message} No hooks run in a try, so call the tool in a run.` };
    }
    log({ level: 'warning', code: 'policy', message });
  }
  const decision = decideCall(settings, policy, call);
  const place = placeOf(decision);
  const named = `'${tool.name}' of agent '${card.name}'`;
  if (decision.effect === 'deny') return { code: 'denied', message: `${named} was not called: ${place} denies it.` };
  if (decision.effect === 'allow') return undefined;
  const { mode } = settings.approvals;
  if (mode === 'reject_all') {
    const message = `${named} was not called: ${place} asks for an approval, and 'approvals.mode' is reject_all.`;
    return { code: 'denied', message };
  }
  // The project cannot approve what a rule of the team asks for.
  if (tried.isApproved || (mode === 'approve_all' && decision.why?.level !== 'team')) return undefined;
  return { code: 'approval_needed', message: `${named} was not called: ${place} asks for an approval of each call.` };
}

function placeOf({ why }: GateDecision): string {
  if (why === undefined) return 'the project';
  return why.level === 'team' ? `the rule '${why.rule}' of your team` : `'${why.rule}' in callboard.yaml`;
}

function contextOf(
  { id, signal, log }: ToolToTry,
  { name }: AgentCard,
  state: ToolCallContext['state'],
): ToolCallContext {
  return {
    runId: brandAs<RunId>(id),
    path: brandAs<InstancePath>(name),
    agentName: name,
    instanceName: name,
    callId: brandAs<CallId>(id),
    correlationId: brandAs<CorrelationId>(id),
    idempotencyKey: brandAs<StepKey>(id),
    signal,
    state,
    artifacts: noArtifacts,
    log,
  };
}

/** A try keeps nothing. */
const noArtifacts: ArtifactAccess = {
  save: () => Promise.resolve(err({ code: 'ARTIFACT_WRITE_DENIED', message: 'A try of a tool keeps no artifacts.' })),
  load: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
};

function asJson(result: object): Json {
  return parseJson(JSON.stringify(result)) ?? null;
}
