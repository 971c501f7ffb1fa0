import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** A conversation of the command line. What its agent remembers is in the session with its id (./file-sessions.ts). */
const conversation = z.object({
  id: z.string(),
  agent: z.string(),
  /** The beginning of the first message. */
  title: z.string(),
  messages: z.number(),
  /** Epoch milliseconds of the last message. */
  updatedAt: z.number(),
});
export type FileConversation = Readonly<z.infer<typeof conversation>>;

const prefix = 'conversation-';

/** Keeps the list of conversations beside their sessions: a JSON file each, mode 0600. */
export function fileConversations(folder: string) {
  const fileOf = (id: string) => path.join(folder, `${prefix}${id}.json`);

  return {
    /** Returns `undefined` for an id that was never saved. */
    async read(id: string): Promise<FileConversation | undefined> {
      if (!/^[\w-]{1,64}$/.test(id)) return undefined;
      const text = await readFile(fileOf(id), 'utf8').catch(() => undefined);
      return text === undefined ? undefined : conversation.parse(JSON.parse(text));
    },
    async save(kept: FileConversation): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = path.join(folder, `${randomUUID()}.draft`);
      try {
        await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
        await rename(draft, fileOf(kept.id));
      } finally {
        await rm(draft, { force: true });
      }
    },
    /** Lists conversations, the one with the last message first. Files that cannot be read are left out. */
    async list(): Promise<readonly FileConversation[]> {
      const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.startsWith(prefix));
      const found = await Promise.all(
        names.map((name) => this.read(name.slice(prefix.length, -'.json'.length)).catch(() => undefined)),
      );
      return found.flatMap((one) => one ?? []).sort((a, b) => b.updatedAt - a.updatedAt);
    },
  };
}
