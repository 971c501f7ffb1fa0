import { Client } from 'pg';

export interface Notifications {
  /**
   * Registers `onWake`, which is called for every message whose payload is `key` or begins with `key:`, and after every
   * connection. It gets what follows `key:`, and `undefined` after a connection, when messages may have been lost. Returns an
   * unsubscribe function.
   */
  subscribe(key: string, onWake: (text: string | undefined) => void): () => void;
  close(): Promise<void>;
}

const firstDelayMs = 50;
const longestDelayMs = 2_000;

/**
 * Opens one LISTEN connection for some channels. It connects for the first subscriber, and reconnects when it breaks.
 * Notifications sent meanwhile are lost, so all subscribers are called after each connection and query the database. A
 * notification only says that something changed, never what, except for the text of models, which may be lost.
 */
export function openNotifications(databaseUrl: string, ...channels: readonly string[]): Notifications {
  const subscribers = new Map<string, Set<(text: string | undefined) => void>>();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let delayMs = firstDelayMs;
  let closed = false;

  return {
    subscribe(key, onWake) {
      const set = subscribers.get(key) ?? new Set();
      set.add(onWake);
      subscribers.set(key, set);
      if (client === undefined && timer === undefined) void connect();
      return () => {
        set.delete(onWake);
        if (set.size === 0 && subscribers.get(key) === set) subscribers.delete(key);
      };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };

  async function connect(): Promise<void> {
    timer = undefined;
    const fresh = new Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5_000 });
    client = fresh;
    let over = false;
    const lost = () => {
      if (over) return;
      over = true;
      client = undefined;
      fresh.end().catch(() => undefined);
      if (closed) return;
      timer = setTimeout(() => void connect(), delayMs);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    };
    fresh.on('error', lost);
    fresh.on('end', lost);
    fresh.on('notification', ({ payload = '' }) => {
      const end = payload.indexOf(':');
      if (end === -1) wake(payload, '');
      else wake(payload.slice(0, end), payload.slice(end + 1));
    });
    try {
      await fresh.connect();
      for (const channel of channels) await fresh.query(`LISTEN ${channel}`);
      delayMs = firstDelayMs;
      for (const key of [...subscribers.keys()]) wake(key, undefined);
    } catch {
      lost();
    }
  }

  function wake(key: string, text: string | undefined): void {
    for (const onWake of [...(subscribers.get(key) ?? [])]) onWake(text);
  }
}
