import { isRecord } from '@/lib/base/json';
import { readAccessToken } from '@/lib/server/access-token';
import { readAppEnv } from '@/lib/server/command-env';
import { portOfRunningApp } from '@/lib/server/running-app';
import { environment } from '@/lib/server/settings/process-env';
import { appAddress } from '@/lib/server/web-readiness';
import { addressOf, latestAddress, readLogin } from './logins-file';

/** A request to the app that was refused. The message is for users. */
export class AppRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'AppRefusal';
    this.status = status;
  }
}

export interface AppClient {
  /** Sends a request to the API of the app, and returns the answer. Rejects with `AppRefusal`, or an Error for users. */
  send(path: string, options?: SendOptions): Promise<Response>;
}

interface SendOptions {
  /** By default POST with a body, otherwise GET. */
  readonly method?: 'DELETE' | 'PATCH';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Returns a client of the app: that of CALLBOARD_APP, else the one that runs on the current data folder, else that of the latest
 * `callboard login`. Throws an Error for users when there is none, and when it has accounts and nobody has logged in.
 */
export function appClient(): AppClient {
  const address = addressOfApp();
  const local = localApp();
  if (local?.address === address && !local.accounts) return openAppClient(local.url, local.token);
  const stored = readLogin(environment(), address);
  if (stored === undefined) {
    throw new Error(
      `The Callboard at ${address} has accounts, and you are not signed in there. Run callboard login ${address}`,
    );
  }
  return openAppClient(local?.address === address ? local.url : address, stored.token);
}

/** Returns the address under which logins of the app are kept. Throws an Error for users when it is not known which app is meant. */
export function addressOfApp(): string {
  const given = environment().CALLBOARD_APP || undefined;
  if (given !== undefined) return addressOf(given);
  const address = localApp()?.address ?? latestAddress(environment());
  if (address !== undefined) return address;
  throw new Error(
    `No Callboard runs on the data folder ${readAppEnv().dataFolder}. Start it, set CALLBOARD_DATA as for its start, or sign in at another one with callboard login URL.`,
  );
}

interface LocalApp {
  /** Where its people open it. */
  readonly address: string;
  /** Where this machine reaches it. */
  readonly url: string;
  readonly accounts: boolean;
  readonly token: string | undefined;
}

/** Returns the app that runs on the current data folder, or `undefined`. */
function localApp(): LocalApp | undefined {
  const env = readAppEnv();
  if (portOfRunningApp(environment()) === undefined) return undefined;
  const url = appAddress(env);
  const { dataFolder, open, accounts } = env;
  const token = open || accounts ? undefined : readAccessToken(dataFolder);
  return { address: addressOf(env.notify.publicUrl ?? url), url, accounts, token };
}

export function openAppClient(url: string, token: string | undefined): AppClient {
  return {
    async send(path, { method, body, signal } = {}) {
      const response = await fetch(`${url}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      }).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        throw new Error(`Callboard does not answer at ${url}. It may be starting; try again in a moment.`);
      });
      if (response.ok) return response;
      const answer: unknown = await response.json().catch(() => undefined);
      const error = isRecord(answer) ? answer.error : undefined;
      const message =
        isRecord(error) && typeof error.message === 'string' ? error.message : `It answered ${response.status}.`;
      throw new AppRefusal(response.status, message);
    },
  };
}
