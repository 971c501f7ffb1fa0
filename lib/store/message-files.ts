import { z } from 'zod';
import type { MessageFile } from '@/lib/base/conversation';

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
