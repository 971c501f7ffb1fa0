import type { DeclarativeOf } from '@/lib/cards/hook-settings';
import type { ContentBlock, ToolResult } from '@/lib/runtime/record/messages';

/** `truncate` cuts the text of a result, all blocks together, at a number of UTF-16 units, and adds a note that says so. */
export function truncateResult({ max_chars }: DeclarativeOf<'truncate'>, result: ToolResult): ToolResult {
  const { structuredContent } = result;
  const total = result.content.reduce((sum, block) => sum + textLength(block), 0);
  const keepStructured = structuredContent === undefined || JSON.stringify(structuredContent).length <= max_chars;
  if (total <= max_chars && keepStructured) return result;
  const { structuredContent: _, ...rest } = result;
  return {
    ...(keepStructured ? result : rest),
    content: total <= max_chars ? result.content : cut(result.content, max_chars, total),
  };
}

function cut(content: readonly ContentBlock[], maxChars: number, total: number): ContentBlock[] {
  const kept: ContentBlock[] = [];
  let left = maxChars;
  for (const block of content) {
    if (block.type !== 'text') {
      if (textLength(block) > left) continue;
      kept.push(block);
      left -= textLength(block);
    } else if (left > 0) {
      const text = firstChars(block.text, left);
      kept.push({ ...block, text });
      left -= text.length;
    }
  }
  return [...kept, { type: 'text', text: `[cut: first ${maxChars - left} of ${total} characters]` }];
}

function textLength(block: ContentBlock): number {
  if (block.type === 'text') return block.text.length;
  return block.type === 'resource' ? (block.text?.length ?? 0) : 0;
}

/** Does not cut inside a surrogate pair. */
function firstChars(text: string, count: number): string {
  const code = text.charCodeAt(count - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 && text.length > count ? count - 1 : count);
}
