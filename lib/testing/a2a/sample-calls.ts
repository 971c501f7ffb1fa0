import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { ProjectEnv } from '@/lib/base/project-env';
import type { A2aCard } from '@/lib/cards/card';
import type { LogBody, RemoteContext, RemoteMessage, RemoteTaskRef } from '@/lib/runtime/ports';
import { createRemoteAgents, type RemoteAgents } from '@/lib/tools/a2a/remote-agents';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';

/** Builders for tests of remote agents. */

/** Pauses between polls are short. */
const quickClock: Clock = {
  now: () => brandAs<EpochMs>(performance.now()),
  sleep: () => new Promise((resolve) => setTimeout(resolve, 5)),
};

export function a2aCard(url: string, own: Partial<A2aCard> = {}): A2aCard {
  return {
    type: 'a2a',
    name: 'far',
    file: 'far.md',
    instruction: undefined,
    description: undefined,
    url,
    transport: undefined,
    streaming: true,
    polling: false,
    acceptedOutputModes: [],
    headers: {},
    auth: undefined,
    relativeCardPath: undefined,
    requestTimeoutSeconds: 20,
    ...own,
  } as A2aCard;
}

export function remoteAgents(env: ProjectEnv = {}, secrets: readonly string[] = [], maxChars?: number): RemoteAgents {
  return createRemoteAgents({
    clock: quickClock,
    guard: createAddressGuard(undefined),
    projectEnv: env,
    secrets,
    maxChars,
  });
}

/** A call with what it told while it ran. */
export interface Told {
  readonly context: RemoteContext;
  readonly states: string[];
  readonly texts: string[];
  readonly logs: LogBody[];
  readonly stop: AbortController;
  /** Resolves when the answer holds text. */
  readonly begun: Promise<void>;
  task: (RemoteTaskRef & { readonly state: string }) | undefined;
}

export function listen(task?: RemoteTaskRef): Told {
  const stop = new AbortController();
  let begin = () => {};
  const told: Told = {
    stop,
    states: [],
    texts: [],
    logs: [],
    begun: new Promise((resolve) => {
      begin = resolve;
    }),
    task: undefined,
    context: {
      signal: stop.signal,
      messageId: 'lead/far[1]#m1',
      task,
      onTask(state) {
        told.task = state;
        told.states.push(state.state);
      },
      onText(text) {
        told.texts.push(text);
        begin();
      },
      log: (body) => told.logs.push(body),
    },
  };
  return told;
}

export const message = (text: string): RemoteMessage => ({ text, attachments: [] });
