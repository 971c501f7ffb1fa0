import type { JsonObject } from '@/lib/base/json';
import { redacted, redactJson, redactText, secretKeys } from '@/lib/base/redact';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { AssistantMessage, ContentBlock, Message, ToolResult } from '@/lib/runtime/record/messages';
import type { RecordedMessage, RecordedRequest } from '@/lib/runtime/record/recorded-request';

/** Messages are recorded with their secrets, which a resumed run needs. */
const isSecret = secretKeys();

/**
 * Returns the event with the secrets of its messages redacted, as every view of a step and every export shows them. An event that was
 * redacted stays the same, so a run and its export have equal messages.
 */
export function shownEvent(event: RunEvent): RunEvent {
  switch (event.kind) {
    case 'run.started':
      return { ...event, message: shownText(event.message) };
    case 'run.finished':
    case 'instance.ended':
      return event.answer === undefined ? event : { ...event, answer: shownText(event.answer) };
    case 'instance.started':
      return { ...event, input: shownText(event.input) };
    case 'model.started':
      return event.request === undefined ? event : { ...event, request: shownRequest(event.request) };
    case 'model.ended': {
      const { message, received } = event;
      return {
        ...event,
        ...(message !== undefined && { message: shownAnswer(message) }),
        ...(received !== undefined && { received: shownText(received) }),
      };
    }
    case 'tool.started':
      return { ...event, arguments: redactJson(event.arguments, isSecret) };
    case 'tool.ended':
    case 'tool.returned':
      return { ...event, result: shownResult(event.result) };
    case 'workflow.decided':
      return { ...event, decision: shownDecision(event.decision) };
    default:
      return event;
  }
}

/** Works like `shownEvent` for the steps of a run. The message and the answer of the run stay as the person wrote and got them. */
export function shownStep(event: RunEvent): RunEvent {
  return event.kind === 'run.started' || event.kind === 'run.finished' ? event : shownEvent(event);
}

/** Redacts text, which may be a part of a message. */
export function shownText(text: string): string {
  return redactText(text, isSecret);
}

/** Redacts the texts of a decision, which models wrote. */
export function shownDecision(decision: WorkflowDecision): WorkflowDecision {
  switch (decision.what) {
    case 'route':
      return decision.reasoning === undefined ? decision : { ...decision, reasoning: shownText(decision.reasoning) };
    case 'rating':
      return {
        ...decision,
        feedback: shownText(decision.feedback),
        focusAreas: decision.focusAreas.map(shownText),
      };
    case 'plan':
      return {
        ...decision,
        description: shownText(decision.description),
        tasks: decision.tasks.map((task) => ({ ...task, description: shownText(task.description) })),
      };
    case 'vote':
      return { ...decision, answer: shownText(decision.answer) };
    case 'votes':
      return { ...decision, votes: decision.votes.map((vote) => ({ ...vote, answer: shownText(vote.answer) })) };
    case 'plan_end':
    case 'remote_task':
      return decision;
  }
}

function shownRequest(request: RecordedRequest): RecordedRequest {
  const { params } = request;
  return {
    ...request,
    added: request.added.map(
      (one): RecordedMessage => ('message' in one ? { message: shownMessage(one.message) } : one),
    ),
    ...(params !== undefined && { params: shownMembers(params) }),
  };
}

/** Returns a message with its secrets redacted. */
export function shownMessage(message: Message): Message {
  switch (message.role) {
    case 'user':
      return { ...message, content: message.content.map(shownBlock) };
    case 'assistant':
      return shownAnswer(message);
    case 'tool':
      return { ...message, results: message.results.map((one) => ({ ...one, result: shownResult(one.result) })) };
  }
}

function shownAnswer(message: AssistantMessage): AssistantMessage {
  const { reasoning, content, toolCalls, fromProvider } = message;
  return {
    ...message,
    content: content.map(shownBlock),
    ...(reasoning !== undefined && { reasoning: shownText(reasoning) }),
    toolCalls: toolCalls.map((call) => ({ ...call, argumentsText: shownText(call.argumentsText) })),
    ...(fromProvider !== undefined && { fromProvider: { ...fromProvider, data: shownMembers(fromProvider.data) } }),
  };
}

function shownResult(result: ToolResult): ToolResult {
  const { content, structuredContent } = result;
  return {
    ...result,
    content: content.map(shownBlock),
    ...(structuredContent !== undefined && { structuredContent: redactJson(structuredContent, isSecret) }),
  };
}

function shownBlock(block: ContentBlock): ContentBlock {
  if (block.type === 'text') return { ...block, text: shownText(block.text) };
  if (block.type === 'resource' && block.text !== undefined) return { ...block, text: shownText(block.text) };
  return block;
}

function shownMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([key, value]) => [
      key,
      isSecret(key) && value !== null ? redacted : redactJson(value, isSecret),
    ]),
  );
}
