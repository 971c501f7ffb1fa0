import { isRecord } from '@/lib/base/json';
import { readAccessToken } from '@/lib/server/access-token';
import { readAppEnv } from '@/lib/server/command-env';
import { portOfRunningApp } from '@/lib/server/running-app';
import { environment } from '@/lib/server/settings/process-env';
import { appAddress } from '@/lib/server/web-readiness';

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
  send(path: string, options?: { readonly body?: unknown; readonly signal?: AbortSignal }): Promise<Response>;
}

/** Returns a client of the Callboard that runs on the current data folder. Throws an Error for users when none runs. */
export function appClient(): AppClient {
  const env = readAppEnv();
  const { dataFolder, open } = env;
  if (portOfRunningApp(environment()) === undefined) {
    throw new Error(
      `No Callboard runs on the data folder ${dataFolder}. Start it, or set CALLBOARD_DATA as for its start.`,
    );
  }
  const token = open ? undefined : readAccessToken(dataFolder);
  return openAppClient(appAddress(env), token);
}

export function openAppClient(url: string, token: string | undefined): AppClient {
  return {
    async send(path, { body, signal } = {}) {
      const response = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      }).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        throw new Error('Callboard does not answer. It may be starting; try again in a moment.');
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
