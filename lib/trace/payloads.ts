import type { Json, JsonObject } from '@/lib/base/json';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { ImportedFrom, RunError, RunEvent } from '@/lib/runtime/record/events';
import { firstLine, textOf } from '@/lib/runtime/record/messages';
import { answerLine } from './answer-words';
import { foldedSpansKey, foldedSpansTitle } from './folded-spans';
import { hookLine } from './hook-story';
import { notRecorded, notRecordedKey } from './not-recorded';
import { shownStep, shownText } from './shown-event';
import { spanLinksKey } from './span-links';

/** The input or output of a step, ready to show, as one or several named parts. */
export interface Payload {
  readonly title: string;
  readonly value: Json;
  readonly tone?: 'bad';
  /** True for what the source of an imported run says beside the step. */
  readonly isOfSource?: boolean;
}

/** Returns the parts of one event to show. The list is empty if there are none. */
export function payloadsOf(event: RunEvent): readonly Payload[] {
  const shown = shownStep(event);
  if (event.imported === undefined) return ownParts(shown);
  const missing = notRecorded(event.imported);
  const isKnown = ({ title }: Payload) => !missing.has(title.toLowerCase());
  const ofSource = importedParts(event.imported).map((part): Payload => ({ ...part, isOfSource: true }));
  return [...ownParts(shown).filter(isKnown), ...ofSource];
}

/** Returns what an import estimated, and what else the source says. */
function importedParts({ attributes, estimated, missingParent }: ImportedFrom): readonly Payload[] {
  return [
    ...textPart('Estimated by the import', estimated?.join('\n')),
    ...textPart('Parent that has not arrived', missingParent),
    ...sourceParts(attributes),
  ];
}

/** Members of `imported.attributes` that have a part of their own, in this order. */
const sourceTitles: Readonly<Record<string, string>> = {
  [spanLinksKey]: 'Linked spans',
  [foldedSpansKey]: foldedSpansTitle,
  [notRecordedKey]: 'Not recorded by the source',
  resource: 'Recorded in',
  scope: 'Recorded by',
};

/** Returns what of a source is known beside the step, and then, with a count, what no convention explains. */
function sourceParts(attributes: JsonObject): readonly Payload[] {
  const parts: Payload[] = [];
  const left = Object.entries(attributes).filter(([key]) => !Object.hasOwn(sourceTitles, key));
  if (left.length > 0) parts.push({ title: `Not mapped (${left.length})`, value: Object.fromEntries(left) });
  for (const [key, title] of Object.entries(sourceTitles)) {
    const value = attributes[key];
    if (value === undefined) continue;
    if (key === notRecordedKey) parts.push({ title, value: Array.isArray(value) ? value.join(', ') : value });
    else parts.push({ title: Array.isArray(value) ? `${title} (${value.length})` : title, value });
  }
  return parts;
}

function ownParts(event: RunEvent): readonly Payload[] {
  switch (event.kind) {
    case 'instance.started':
      return [
        { title: 'Input', value: event.input },
        ...(event.state === undefined ? [] : [{ title: 'State at the start', value: event.state }]),
      ];
    case 'instance.ended':
      return [
        ...(event.answer === undefined ? [] : [{ title: 'Answer', value: event.answer }]),
        ...errorPart(event.error),
      ];
    case 'model.started':
      return event.tools.length === 0 ? [] : [{ title: 'Tools offered', value: event.tools.join('\n') }];
    case 'model.ended': {
      const { message, error } = event;
      if (message === undefined) return errorPart(error);
      const text = textOf(message.content);
      return [
        ...(message.reasoning === undefined ? [] : [{ title: 'Reasoning', value: message.reasoning }]),
        ...(text === '' ? [] : [{ title: 'Message', value: text }]),
        ...message.toolCalls.map((call) => ({
          title: `Asks for ${call.name}`,
          value: call.argumentsText,
        })),
        ...errorPart(error),
      ];
    }
    case 'tool.started':
      return [{ title: 'Arguments', value: event.arguments }];
    case 'tool.ended': {
      const { content, isError, errorCode, structuredContent } = event.result;
      const title = isError ? `Error${errorCode === undefined ? '' : ` ${errorCode}`}` : 'Result';
      return [
        { title, value: textOf(content), ...(isError ? { tone: 'bad' as const } : {}) },
        ...(structuredContent === undefined ? [] : [{ title: 'Structured result', value: structuredContent }]),
      ];
    }
    case 'person.asked':
      return questionParts(event);
    case 'person.answered':
      return answerParts(event);
    case 'state.changed':
      return [
        {
          title: `State ${event.outcome}`,
          value: event.delta,
          ...(event.outcome === 'refused' ? { tone: 'bad' } : {}),
        },
      ];
    case 'artifact.saved':
      return [{ title: `${event.name} version ${event.version}`, value: event.content }];
    case 'session.opened':
      return [{ title: 'Session', value: event.asked === undefined ? event.sessionId : `${event.sessionId} (new)` }];
    case 'workflow.decided':
      return decisionParts(event.decision);
    case 'agent.created':
      return [{ title: `Agent ${event.agent.name}`, value: event.agent.instructions }];
    case 'groups.activated':
      return [{ title: 'Active now', value: event.groups.join('\n') }];
    case 'session.saved':
      return [{ title: 'Session', value: `${event.sessionId}, saved ${event.version} times` }];
    case 'setup.ended':
      return event.error?.code === 'cancelled' ? [] : errorPart(event.error);
    case 'hook.ended':
      return event.error === undefined ? [] : [{ title: 'Error', value: event.error, tone: 'bad' }];
    case 'run.started':
      return [{ title: 'Message', value: event.message }];
    case 'run.finished':
      return [
        ...(event.answer === undefined ? [] : [{ title: 'Answer', value: event.answer }]),
        ...errorPart(event.error),
        ...(event.failedServers ?? []).map(
          ({ name, message }): Payload => ({ title: `Server ${name}`, value: message, tone: 'bad' }),
        ),
      ];
    default:
      return [];
  }
}

function questionParts(event: Extract<RunEvent, { kind: 'person.asked' }>): readonly Payload[] {
  return [
    { title: 'Question', value: event.sentence },
    ...(event.arguments === undefined ? [] : [{ title: 'Arguments', value: event.arguments }]),
    ...textPart('What the model said before', event.said),
  ];
}

function answerParts({ answer }: Extract<RunEvent, { kind: 'person.answered' }>): readonly Payload[] {
  if (answer === undefined) return [];
  return [
    ...(answer.arguments === undefined ? [] : [{ title: 'Arguments that ran', value: answer.arguments }]),
    ...(answer.content === undefined ? [] : [{ title: 'Answer', value: answer.content }]),
    ...textPart('Reason', answer.note),
  ];
}

/** Returns the texts of a decision. Those that it does not have are left out. */
function decisionParts(decision: WorkflowDecision): readonly Payload[] {
  switch (decision.what) {
    case 'route':
      return textPart('Reason', decision.reasoning);
    case 'rating':
      return [...textPart('Feedback', decision.feedback), ...textPart('Focus areas', decision.focusAreas.join('\n'))];
    case 'plan':
      return [
        ...textPart('What it wants', decision.description),
        ...decision.tasks.map(({ agent, description }, i) => ({
          title: `Task ${i + 1}: ${agent}`,
          value: description,
        })),
      ];
    case 'vote':
      return [
        ...textPart('Answer of this sample', decision.answer),
        ...textPart('Why it does not count', decision.discarded),
      ];
    case 'votes':
    case 'plan_end':
    case 'remote_task':
      return [];
  }
}

function textPart(title: string, value: string | undefined): readonly Payload[] {
  return value === undefined || value === '' ? [] : [{ title, value }];
}

/**
 * Returns one line of what a step got or gave: the input or the answer of an instance, a call's arguments or its result, a hook's changes.
 * `limit` is in UTF-16 units.
 */
export function previewOf(event: RunEvent, limit: number): string {
  const line = shownText(previewText(event).slice(0, limit * 4))
    .slice(0, limit * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

function previewText(event: RunEvent): string {
  switch (event.kind) {
    case 'instance.started':
      return jsonText(event.input);
    case 'instance.ended':
      return event.error?.message ?? event.answer ?? '';
    case 'tool.started':
      return jsonText(event.arguments);
    case 'tool.ended':
      return textOf(event.result.content.slice(0, 8));
    case 'hook.ended':
      return hookLine(event);
    case 'setup.ended':
      return setupPreview(event.error);
    case 'person.answered':
      return answerLine(event);
    default:
      return '';
  }
}

function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function setupPreview(error: RunError | undefined): string {
  if (error === undefined) return 'ready';
  return error.code === 'cancelled' ? 'the instance stopped waiting' : firstLine(error.message);
}

function errorPart(error: { readonly code: string; readonly message: string } | undefined): readonly Payload[] {
  return error === undefined ? [] : [{ title: `Error ${error.code}`, value: error.message, tone: 'bad' }];
}
