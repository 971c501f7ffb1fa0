import type { SessionPort, StoredSession } from '@/lib/runtime/ports';
import type { SessionKey } from '@/lib/runtime/record/events';

/** Keeps sessions in memory, for as long as the process lives. */
export function memorySessions(): SessionPort {
  const rows = new Map<string, { readonly session: StoredSession; readonly writer: string }>();
  const rowKey = ({ id, owner }: SessionKey) => JSON.stringify([owner, id]);
  return {
    read: (key) => Promise.resolve(rows.get(rowKey(key))?.session),
    save(key, session, writer) {
      const row = rows.get(rowKey(key));
      const isOurs = row?.session.version === session.version && row.writer === writer;
      if (!isOurs && (row?.session.version ?? 0) !== session.version - 1) return Promise.resolve('conflict');
      rows.set(rowKey(key), { session, writer });
      return Promise.resolve('saved');
    },
  };
}
