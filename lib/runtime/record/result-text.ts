import { canonicalJson } from '@/lib/base/canonical-json';
import { type ToolResult, textOf } from './messages';

/**
 * Returns the text of a result as a model reads it. Structured content replaces the text blocks, as JSON with sorted keys,
 * because servers do not always keep the two alike (fast-agent's `canonicalize_tool_result_content_for_llm`).
 */
export function resultText({ content, structuredContent }: ToolResult): string {
  if (structuredContent === undefined) return textOf(content);
  const others = content.filter((block) => block.type !== 'text');
  const json = canonicalJson(structuredContent);
  return others.length === 0 ? json : `${json}\n${textOf(others)}`;
}

/** Returns the text with a prefix for failures, because the providers' formats have no field for errors. */
export function resultForModel(result: ToolResult): string {
  const text = resultText(result);
  const saysSo =
    result.content.some((block) => block.type === 'text' && /^\s*error\b/i.test(block.text)) &&
    text === textOf(result.content);
  return result.isError && !saysSo ? `Error: ${text}` : text;
}

/** Drops the structured content if a hook changed the text alone, so that the model reads the new text. */
export function withEditedText(before: ToolResult | undefined, after: ToolResult): ToolResult {
  const { structuredContent, ...rest } = after;
  if (before?.structuredContent === undefined || structuredContent === undefined) return after;
  const isSame = canonicalJson(structuredContent) === canonicalJson(before.structuredContent);
  return isSame && textOf(before.content) !== textOf(after.content) ? rest : after;
}
