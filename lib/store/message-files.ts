import { z } from 'zod';
import type { AttachmentInfo, MessageFile } from '@/lib/base/conversation';
import { describeFiles } from '@/lib/runtime/request/message-files';

const storedFiles = z.array(
  z.object({
    name: z.string(),
    mediaType: z.string(),
    text: z.string().optional(),
    data: z.string().optional(),
  }),
) satisfies z.ZodType<readonly MessageFile[]>;

/** Returns the files of a message as they are stored; null for none. */
export function filesText(files: readonly MessageFile[] = []): string | null {
  return files.length === 0 ? null : JSON.stringify(files);
}

export function readFiles(stored: string | null): readonly MessageFile[] | undefined {
  return stored === null ? undefined : storedFiles.parse(JSON.parse(stored));
}

const storedInfo = z.array(
  z.object({ name: z.string(), mediaType: z.string(), bytes: z.number() }),
) satisfies z.ZodType<readonly AttachmentInfo[]>;

/** Returns what lists show of the files; null for none. */
export function fileInfoText(files: readonly MessageFile[] = []): string | null {
  return files.length === 0 ? null : JSON.stringify(describeFiles(files));
}

export function readFileInfo(stored: string | null): readonly AttachmentInfo[] {
  return stored === null ? [] : storedInfo.parse(JSON.parse(stored));
}
