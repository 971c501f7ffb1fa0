import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '@/lib/base/actor';
import type { GuardedRequest } from '@/lib/server/request-guard';
import type { Decided } from './decisions';
import type { FullProject } from './full-project';

/** Who asks an operation, and the headers with which. Without an actor the app finds out itself who it is. */
export interface Asking {
  readonly actor?: Actor | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  /** `ok`, or the code of an error. */
  readonly code: string;
  readonly text: string;
  readonly response?: Response;
}

/** Asks a route or an action about the parts of a project. */
export type Ask = (name: string, decided: Decided, full: FullProject, by: Sending) => Promise<Answer>;

/** What is sent besides. To a route, `body` goes in place of the input, and `query` in place of its query. */
export interface Sending extends Asking {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly query?: string;
}

const asked = new AsyncLocalStorage<Asking>();

/** Does something for whoever asks. Several may ask at the same time. */
export function asking<T>(by: Asking, work: () => Promise<T>): Promise<T> {
  return asked.run(by, work);
}

type WhoAsks = (request: GuardedRequest) => Promise<Actor | undefined>;

/** What a test puts in place of the module `who-asks`. */
export function whoAsksInTests(real: { readonly whoAsks: WhoAsks }): { readonly whoAsks: WhoAsks } {
  return {
    whoAsks: (request) => {
      const actor = asked.getStore()?.actor;
      return actor === undefined ? real.whoAsks(request) : Promise.resolve(actor);
    },
  };
}

/** The headers of every request here, and those of whoever asks. */
export const headersNow = () => new Headers({ host: '127.0.0.1:3000', ...asked.getStore()?.headers });

/** What a test puts in place of the module `next/headers`. */
export const nextHeadersInTests = {
  headers: () => Promise.resolve(headersNow()),
  cookies: () => Promise.resolve({ get: () => undefined }),
};
