import type { AttachmentInfo, MessageFile } from '@/lib/base/conversation';
import type { ContentBlock } from '@/lib/runtime/record/messages';

/** Returns the files of a message as its content after the text. */
export function fileBlocks(files: readonly MessageFile[] = []): readonly ContentBlock[] {
  return files.map(({ name, mediaType, text, data = '' }): ContentBlock => {
    if (text !== undefined) return { type: 'resource', uri: name, mimeType: mediaType, text };
    if (mediaType.startsWith('image/')) return { type: 'image', data, mimeType: mediaType };
    if (mediaType.startsWith('audio/')) return { type: 'audio', data, mimeType: mediaType };
    return { type: 'resource', uri: name, mimeType: mediaType, blob: data };
  });
}

/** Describes files without their content. */
export function describeFiles(files: readonly MessageFile[] = []): readonly AttachmentInfo[] {
  return files.map((file) => ({ name: file.name, mediaType: file.mediaType, bytes: bytesOfFile(file) }));
}

/** Counts the bytes of the content, those of a text in UTF-8. */
export function bytesOfFile({ text, data = '' }: MessageFile): number {
  if (text !== undefined) return new TextEncoder().encode(text).length;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return (data.length / 4) * 3 - padding;
}
