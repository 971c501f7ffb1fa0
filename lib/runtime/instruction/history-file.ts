import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, parseJson } from '@/lib/base/json';
import { mediaTypeOf } from '@/lib/base/media-type';
import type { Folder } from '@/lib/cards/folder';
import { joinPath } from '@/lib/cards/references';
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  StopReason,
  ToolCall,
  ToolResult,
} from '@/lib/runtime/record/messages';

/**
 * Reads a conversation from a file that a card names in `messages`. A `.json` file holds JSON; any other holds text with
 * `---USER`, `---ASSISTANT` and `---RESOURCE` lines. Unreadable parts are skipped, as in fast-agent. A call without a
 * result is removed.
 */
export function readHistoryFile(path: string, text: string, folder: Folder): readonly Message[] {
  return closed(path.endsWith('.json') ? readJson(text) : readDelimited(path, text, folder));
}

function readJson(text: string): Message[] {
  const value = parseJson(text);
  const list = isRecord(value) ? value.messages : value;
  return Array.isArray(list) ? list.flatMap((entry: unknown) => (isRecord(entry) ? messagesOf(entry) : [])) : [];
}

function messagesOf(entry: Record<string, unknown>): Message[] {
  const content = blocksOf(entry.content);
  if (entry.role === 'assistant') return [assistantOf(entry, content)];
  if (entry.role !== 'user') return [];
  const results = isRecord(entry.tool_results) ? Object.entries(entry.tool_results) : [];
  const messages: Message[] = [];
  if (results.length > 0) {
    messages.push({
      role: 'tool',
      results: results.map(([id, result]) => ({ callId: brandAs<CallId>(id), result: resultOf(result) })),
    });
  }
  if (content.length > 0) messages.push({ role: 'user', content });
  return messages;
}

function assistantOf(entry: Record<string, unknown>, content: readonly ContentBlock[]): AssistantMessage {
  const calls = isRecord(entry.tool_calls) ? Object.entries(entry.tool_calls) : [];
  const toolCalls = calls.flatMap(([id, call]): ToolCall[] => {
    const params = isRecord(call) && isRecord(call.params) ? call.params : undefined;
    if (typeof params?.name !== 'string') return [];
    return [{ id: brandAs<CallId>(id), name: params.name, argumentsText: JSON.stringify(params.arguments ?? {}) }];
  });
  const stopReason = stopReasons[String(entry.stop_reason)] ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn');
  return { role: 'assistant', content, toolCalls, stopReason };
}

const stopReasons: Readonly<Record<string, StopReason>> = {
  endTurn: 'end_turn',
  stopSequence: 'stop_sequence',
  maxTokens: 'max_tokens',
  toolUse: 'tool_use',
  safety: 'safety',
};

function resultOf(value: unknown): ToolResult {
  if (!isRecord(value)) return { content: [], isError: false };
  const content = blocksOf(value.content);
  return value.isError === true ? { content, isError: true, errorCode: 'TOOL_FAILED' } : { content, isError: false };
}

/** The content is a list of MCP blocks. Older files have one block, or plain text. */
function blocksOf(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (Array.isArray(content)) return content.flatMap((block: unknown) => blockOf(block) ?? []);
  return blockOf(content) ?? [];
}

function blockOf(block: unknown): [ContentBlock] | undefined {
  if (!isRecord(block)) return undefined;
  const { type, text, data, mimeType, uri, name } = block;
  if (type === 'text' && typeof text === 'string') return [{ type, text }];
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string') {
    return [{ type, data, mimeType }];
  }
  if (type === 'resource_link' && typeof uri === 'string') return [{ type, uri, ...strings({ name, mimeType }) }];
  const { resource } = block;
  if (type !== 'resource' || !isRecord(resource) || typeof resource.uri !== 'string') return undefined;
  return [
    {
      type,
      uri: resource.uri,
      ...strings({ mimeType: resource.mimeType, text: resource.text, blob: resource.blob }),
    },
  ];
}

function strings<K extends string>(values: Record<K, unknown>): Partial<Record<K, string>> {
  const kept: Partial<Record<K, string>> = {};
  for (const key of Object.keys(values) as K[]) {
    const value = values[key];
    if (typeof value === 'string') kept[key] = value;
  }
  return kept;
}

function readDelimited(path: string, text: string, folder: Folder): Message[] {
  const messages: Message[] = [];
  let role: 'user' | 'assistant' = 'user';
  let lines: string[] = [];
  let blocks: ContentBlock[] = [];
  let isResource = false;
  const endPart = () => {
    const part = lines.join('\n').trim();
    lines = [];
    if (part !== '') blocks.push(isResource ? resourceBlock(path, part, folder) : { type: 'text', text: part });
    isResource = false;
  };
  const endMessage = () => {
    endPart();
    if (blocks.length > 0) messages.push(role === 'user' ? { role, content: blocks } : said(blocks));
    blocks = [];
  };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const mark = line.trim();
    if (mark === '---USER' || mark === '---ASSISTANT') {
      endMessage();
      role = mark === '---USER' ? 'user' : 'assistant';
    } else if (mark === '---RESOURCE') {
      endPart();
      isResource = true;
    } else lines.push(line);
  }
  endMessage();
  return messages;
}

function said(content: readonly ContentBlock[]): AssistantMessage {
  return { role: 'assistant', content, toolCalls: [], stopReason: 'end_turn' };
}

function resourceBlock(historyFile: string, written: string, folder: Folder): ContentBlock {
  const place = joinPath(historyFile, written);
  const file = place === undefined ? undefined : folder.get(place);
  const uri = `file:///${place ?? written}`;
  if (file?.kind !== 'text' || place === undefined) return { type: 'resource_link', uri };
  return { type: 'resource', uri, mimeType: mediaTypeOf(place, 'text'), text: file.text };
}

function closed(messages: readonly Message[]): readonly Message[] {
  const kept: Message[] = [];
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    const isOpen = message.role === 'assistant' && message.toolCalls.length > 0 && next?.role !== 'tool';
    const isLost = message.role === 'tool' && kept.at(-1)?.role !== 'assistant';
    if (!isOpen && !isLost) kept.push(message);
  }
  return kept;
}
