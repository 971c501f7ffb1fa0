import type { EventOf, EventStamp, RunEvent } from '@/lib/runtime/record/events';
import { decimal, flag, integer, type OtlpAttribute, text, texts } from './otlp-json';

/*
 * The fields of events that spans and span events have as they are, so that an import makes the same events of them. A field that is
 * not here is in an attribute of the semantic conventions, or is not exported. `lib/interop/own` reads by the same table.
 */

type Kind = RunEvent['kind'];

export interface CarriedField {
  readonly key: string;
  /** The value is written as JSON. Other values are texts, numbers, flags and lists of texts. */
  readonly isJson?: true;
  /** Only with texts. */
  readonly isText?: true;
}

type FieldsOf<K extends Kind> = {
  readonly [F in Exclude<keyof EventOf<K>, 'kind' | keyof EventStamp>]?: CarriedField;
};

const path: CarriedField = { key: 'callboard.instance' };
const step: CarriedField = { key: 'callboard.step' };
const attempt: CarriedField = { key: 'callboard.attempt' };
const item: CarriedField = { key: 'callboard.item' };
const ofStep = { path, step, attempt };

export const carriedFields: { readonly [K in Kind]?: FieldsOf<K> } = {
  'run.started': {
    correlationId: { key: 'callboard.run_correlation_id' },
    entryAgent: { key: 'callboard.entry_agent' },
    model: { key: 'callboard.run_model' },
    scripted: { key: 'callboard.scripted' },
    message: { key: 'callboard.message', isText: true },
    attachments: { key: 'callboard.attachments', isJson: true, isText: true },
    leftOut: { key: 'callboard.left_out', isJson: true, isText: true },
  },
  'run.finished': {
    status: { key: 'callboard.run_status' },
    error: { key: 'callboard.run_error', isJson: true },
    answer: { key: 'callboard.run_answer', isText: true },
    failedServers: { key: 'callboard.failed_servers', isJson: true, isText: true },
  },
  'run.resumed': { worker: { key: 'callboard.worker' } },
  'run.suspended': {
    open: { key: 'callboard.open_questions' },
    activeMs: { key: 'callboard.active_ms', isJson: true },
  },
  'instance.queued': {
    path,
    agentName: { key: 'gen_ai.agent.name' },
    instanceName: { key: 'callboard.instance_name' },
    parent: { key: 'callboard.parent' },
    correlationId: { key: 'callboard.correlation_id' },
    parentCorrelationId: { key: 'callboard.parent_correlation_id' },
    callId: { key: 'callboard.call_id' },
    parentStep: { key: 'callboard.parent_step' },
    depth: { key: 'callboard.depth' },
    attempt,
    forwarded: { key: 'callboard.forwarded', isJson: true },
  },
  'instance.started': {
    model: { key: 'callboard.model' },
    historyCount: { key: 'callboard.history_count' },
    maxDisplayInstances: { key: 'callboard.max_display_instances' },
    state: { key: 'callboard.state', isJson: true, isText: true },
  },
  'setup.started': { path, step, what: { key: 'callboard.setup' } },
  'model.started': {
    ...ofStep,
    model: { key: 'callboard.model' },
    provider: { key: 'gen_ai.provider.name' },
    modelName: { key: 'callboard.model_name' },
    messageCount: { key: 'callboard.message_count' },
    tools: { key: 'callboard.tools' },
  },
  'model.ended': {
    requests: { key: 'callboard.requests' },
    received: { key: 'callboard.received', isText: true },
  },
  'tool.started': {
    ...ofStep,
    toolName: { key: 'gen_ai.tool.name' },
    callId: { key: 'gen_ai.tool.call.id' },
    source: { key: 'callboard.tool_source' },
    serverName: { key: 'callboard.tool_server' },
    correlationId: { key: 'callboard.correlation_id' },
    arguments: { key: 'gen_ai.tool.call.arguments', isJson: true, isText: true },
  },
  'tool.ended': { result: { key: 'gen_ai.tool.call.result', isJson: true, isText: true } },
  'hook.started': {
    ...ofStep,
    hook: { key: 'callboard.hook' },
    phase: { key: 'callboard.phase' },
    around: { key: 'callboard.around' },
  },
  'hook.ended': {
    calledNext: { key: 'callboard.called_next' },
    next: { key: 'callboard.next', isJson: true },
    changes: { key: 'callboard.changes', isJson: true, isText: true },
  },
  'person.asked': {
    ...{ path, step, item },
    what: { key: 'callboard.question' },
    sentence: { key: 'callboard.sentence', isText: true },
    tool: { key: 'callboard.asked_tool', isJson: true },
    arguments: { key: 'callboard.arguments', isJson: true, isText: true },
    form: { key: 'callboard.form', isJson: true, isText: true },
    server: { key: 'callboard.server_question', isJson: true, isText: true },
    said: { key: 'callboard.said', isText: true },
    editable: { key: 'callboard.editable' },
    why: { key: 'callboard.rule', isJson: true },
    limit: { key: 'callboard.time_limit', isJson: true },
  },
  'person.answered': {
    ...{ path, step, item },
    outcome: { key: 'callboard.outcome' },
    answer: { key: 'callboard.answer', isJson: true, isText: true },
  },
  'state.changed': {
    ...{ path, step },
    from: { key: 'callboard.from' },
    outcome: { key: 'callboard.outcome' },
    delta: { key: 'callboard.delta', isJson: true, isText: true },
    reason: { key: 'callboard.reason' },
  },
  'workflow.decided': { path, step, decision: { key: 'callboard.decision', isJson: true, isText: true } },
  log: {
    path,
    step,
    level: { key: 'callboard.level' },
    code: { key: 'callboard.code' },
    waitMs: { key: 'callboard.wait_ms' },
    message: { key: 'callboard.message', isText: true },
  },
};

/** Returns the fields of an event as attributes, without those that are texts unless `withTexts`. */
export function carriedAttributes(event: RunEvent, withTexts: boolean): OtlpAttribute[] {
  const fields: Readonly<Record<string, CarriedField | undefined>> = carriedFields[event.kind] ?? {};
  return Object.entries(event).flatMap(([name, value]: [string, unknown]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || value === undefined || (field.isText === true && !withTexts)) return [];
    return [attributeOf(field, value)];
  });
}

function attributeOf({ key, isJson }: CarriedField, value: unknown): OtlpAttribute {
  if (isJson !== true) {
    if (typeof value === 'string') return text(key, value);
    if (typeof value === 'boolean') return flag(key, value);
    if (typeof value === 'number') return Number.isSafeInteger(value) ? integer(key, value) : decimal(key, value);
    if (Array.isArray(value)) return texts(key, value.map(String));
  }
  return text(key, JSON.stringify(value));
}
