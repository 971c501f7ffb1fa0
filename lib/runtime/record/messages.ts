import type { CallId } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';

/** The content blocks of MCP. Tools return them, and every provider's format is converted from them. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name?: string; readonly mimeType?: string }
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: string;
      readonly blob?: string;
    };

export interface ToolCall {
  readonly id: CallId;
  readonly name: string;
  /** The text as the model wrote it. It may be invalid JSON. */
  readonly argumentsText: string;
}

export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  /** Set with `isError`. */
  readonly errorCode?: ToolErrorCode;
  readonly structuredContent?: Json;
  /** Data that the model does not see. */
  readonly meta?: {
    /** Versions of artifacts that the call made, by name. */
    readonly artifacts?: Readonly<Record<string, number>>;
    /** The session that the first block of the content names. */
    readonly sessionId?: string;
    /** The call was denied, and its setting ends the turn of the agent that made it. */
    readonly endsTurn?: true;
    /** A person changed the arguments. The first block of the content says so to the model. */
    readonly edited?: true;
  };
}

/** Codes of failed calls; docs/delegation.md lists those of delegations. */
export type ToolErrorCode =
  | 'UNKNOWN_TOOL'
  | 'TOOL_INACTIVE'
  | 'INPUT_VALIDATION'
  | 'OUTPUT_VALIDATION'
  | 'AGENT_TIMEOUT'
  | 'AGENT_CANCELLED'
  | 'AGENT_FAILED'
  | 'DEPTH_EXCEEDED'
  | 'STATE_WRITE_DENIED'
  | 'STATE_CONFLICT'
  | 'ARTIFACT_WRITE_DENIED'
  | 'ATTACHMENT_REFUSED'
  | 'NOT_ALLOWED'
  | 'APPROVAL_BLOCKED'
  | 'APPROVAL_DENIED'
  | 'TOOL_FAILED'
  | 'TOOL_TIMEOUT'
  | 'SERVER_UNAVAILABLE'
  | 'HOOK_FAILED';

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'safety';

export type Message =
  | { readonly role: 'user'; readonly content: readonly ContentBlock[] }
  | AssistantMessage
  | { readonly role: 'tool'; readonly results: readonly { readonly callId: CallId; readonly result: ToolResult }[] };

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly ContentBlock[];
  /** The model's thinking, when the provider shows it; never part of the answer. */
  readonly reasoning?: string;
  readonly toolCalls: readonly ToolCall[];
  readonly stopReason: StopReason;
  readonly fromProvider?: FromProvider;
}

/**
 * What a provider put beside the text and the calls of an answer and expects back, such as signatures of its reasoning. It is
 * sent back unchanged to the provider that made it, never to another one, and nobody else reads it.
 */
export interface FromProvider {
  /** The wire and the host that made it, such as `chat api.deepseek.com`. */
  readonly origin: string;
  readonly data: JsonObject;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** Input tokens that the provider wrote into its cache, which some charge more for. They are part of `inputTokens`. */
  readonly cacheWriteTokens?: number;
  /** The number of model calls that have ended: answered, failed or stopped. */
  readonly modelCalls: number;
  /** The part whose cost the source of an imported run has. No price is looked up for it. */
  readonly recorded?: RecordedCost;
}

/** A cost that was recorded with some usage, in US dollars, and the tokens that it is for. */
export interface RecordedCost {
  readonly usd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
}

export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  modelCalls: 0,
};

/** Returns the tokens that went in and came out. */
export function tokens(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens;
}

export function addUsage(a: Usage, b: Usage): Usage {
  const written = (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    modelCalls: a.modelCalls + b.modelCalls,
    ...(written !== 0 && { cacheWriteTokens: written }),
    ...((a.recorded ?? b.recorded) !== undefined && { recorded: addRecorded(a.recorded, b.recorded) }),
  };
}

function addRecorded(a: RecordedCost = nothingRecorded, b: RecordedCost = nothingRecorded): RecordedCost {
  return {
    usd: a.usd + b.usd,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

const nothingRecorded: RecordedCost = {
  usd: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
};

/** Returns the usage with a cost that its source has for all of it. */
export function withRecordedCost(usage: Usage, usd: number | undefined): Usage {
  if (usd === undefined) return usage;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens = 0 } = usage;
  return { ...usage, recorded: { usd, inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } };
}

/** Returns the answer, or a fixed sentence when it is empty. */
export function orNoResponse(text: string): string {
  return text.trim() === '' ? '(No response)' : text;
}

/**
 * Joins text parts by newlines and names everything else in brackets. Models read this text, and rows of the trace show it.
 */
export function textOf(content: readonly ContentBlock[]): string {
  return content.map(blockText).join('\n');
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}]`;
    case 'resource_link':
      return `[resource ${block.uri}]`;
    case 'resource':
      return block.text ?? `[resource ${block.uri}]`;
  }
}

/** Returns the first line, which names the cause. */
export function firstLine(message: string): string {
  const end = message.indexOf('\n');
  return end < 0 ? message : message.slice(0, end);
}
