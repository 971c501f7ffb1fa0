import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface A2aServerSettings {
  readonly port?: number;
  /** Requests without this bearer token get 401. */
  readonly token?: string;
  readonly streaming?: boolean;
  /** Speaks version 0.3. */
  readonly legacy?: boolean;
  readonly cardPath?: string;
}

export interface Seen {
  readonly requests: readonly { readonly method: string; readonly path: string }[];
  readonly messages: readonly {
    readonly messageId: string;
    readonly words: string;
    readonly kinds: readonly string[];
  }[];
  readonly cancelled: readonly string[];
}

export interface A2aServer {
  readonly url: string;
  readonly port: number;
  seen(): Promise<Seen>;
  /** Ends the tasks that wait. */
  release(): Promise<void>;
  /** Ends the tasks that wait, and forgets what was seen. False if the process has ended. */
  reset(): Promise<boolean>;
  /** Closes every open connection; the server continues. */
  drop(): Promise<void>;
  /** Kills the process. */
  kill(): Promise<void>;
}

/** Starts an A2A server of the official SDK as a process. It ends with this process at the latest. */
async function startA2aServer(settings: A2aServerSettings = {}): Promise<A2aServer> {
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, 'server.mjs')], {
    env: { ...process.env, A2A_SERVER: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = await firstPort(child);
  const url = `http://127.0.0.1:${port}`;
  const control = async (what: string) => (await fetch(`${url}/control/${what}`, { method: 'POST' })).json();
  return {
    url,
    port,
    seen: () => control('seen') as Promise<Seen>,
    async release() {
      await control('release');
    },
    async reset() {
      if (child.exitCode !== null || child.signalCode !== null) return false;
      await control('reset');
      return true;
    },
    async drop() {
      await control('drop').catch(() => undefined);
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function firstPort(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface(child.stdout)) {
    const said: unknown = JSON.parse(line);
    if (typeof said === 'object' && said !== null && 'port' in said) return Number(said.port);
  }
  throw new Error('the A2A server did not start');
}

/** Servers for the tests of a file. Those with the same settings share one while it lives. */
export function sharedServers(): { get(settings?: A2aServerSettings): Promise<A2aServer>; kill(): Promise<void> } {
  const servers = new Map<string, A2aServer>();
  return {
    async get(settings = {}) {
      const key = JSON.stringify(settings);
      const known = servers.get(key);
      if (known !== undefined && (await known.reset())) return known;
      const server = await startA2aServer(settings);
      servers.set(key, server);
      return server;
    },
    async kill() {
      await Promise.all([...servers.values()].map((server) => server.kill()));
    },
  };
}
