import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { exactJson, parseExactJson } from '@/lib/base/exact-json';
import type { SessionPort, StoredSession } from '@/lib/runtime/ports';
import type { SessionContent, SessionKey } from '@/lib/runtime/record/events';
import { readSessionRecord, sessionRecord } from '@/lib/runtime/record/session-format';

const outline = z.object({ writer: z.string(), version: z.number() });
type Content = z.infer<typeof outline> & SessionContent;

/** This many older versions are kept, for a process that still works with one of them. */
const keptVersions = 8;

/**
 * Stores the sessions of one project for the command line. Each version is a JSON file `<hash of owner and
 * id>.<version>.json` (mode 0600). A new version is created with a hard link. The link succeeds for one process only, so
 * processes that save at the same time detect the conflict. Both methods reject with the error of the file system.
 */
export function fileSessions(folder: string): SessionPort {
  const nameOf = ({ id, owner }: SessionKey) =>
    createHash('sha256')
      .update(JSON.stringify([owner, id]))
      .digest('hex')
      .slice(0, 40);

  async function versionsOf(key: SessionKey): Promise<number[]> {
    const prefix = `${nameOf(key)}.`;
    const names = await readdir(folder).catch((): string[] => []);
    return names
      .flatMap((name) =>
        name.startsWith(prefix) && name.endsWith('.json') ? [Number(name.slice(prefix.length, -5))] : [],
      )
      .sort((a, b) => a - b);
  }

  const fileOf = (key: SessionKey, version: number) => path.join(folder, `${nameOf(key)}.${version}.json`);

  async function latest(key: SessionKey): Promise<Content | undefined> {
    const version = (await versionsOf(key)).at(-1);
    if (version === undefined) return undefined;
    const stored: unknown = parseExactJson(await readFile(fileOf(key, version), 'utf8'));
    return { ...outline.parse(stored), ...readSessionRecord(stored) };
  }

  return {
    async read(key) {
      const found = await latest(key);
      if (!found) return undefined;
      const { writer: _, ...session } = found;
      return session;
    },
    async save(key, session, writer) {
      const found = await latest(key);
      if (found?.version === session.version && found.writer === writer) return 'saved';
      if ((found?.version ?? 0) !== session.version - 1) return 'conflict';
      if (!(await create(fileOf(key, session.version), session, writer))) return 'conflict';
      for (const version of await versionsOf(key)) {
        if (version <= session.version - keptVersions) await rm(fileOf(key, version), { force: true });
      }
      return 'saved';
    },
  };

  /** Returns false when the version exists already. */
  async function create(file: string, session: StoredSession, writer: string): Promise<boolean> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = path.join(folder, `${randomUUID()}.draft`);
    try {
      await writeFile(draft, exactJson({ ...sessionRecord(session), version: session.version, writer }), {
        mode: 0o600,
      });
      await link(draft, file);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
}

/** Returns the folder for the sessions of a project. The real path of the project identifies it. */
export function sessionFolderOf(dataFolder: string, realFolder: string): string {
  return path.join(dataFolder, 'sessions', createHash('sha256').update(realFolder).digest('hex').slice(0, 40));
}
