import type { ItemEnd } from '@/lib/base/pending';
import type { AskedByServer, ModelResponse, SampleRequest } from '@/lib/runtime/ports';
import type { ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';

/** What the calls of a server offer it in return. */
export interface ServerHelp {
  /** Asks the model on behalf of a call. Returns `undefined` when there is no call. */
  sample(request: SampleRequest): Promise<ModelResponse> | undefined;
  /** Asks a person on behalf of a call. Returns `undefined` when there is no call, or nobody who could answer. */
  ask(asked: AskedByServer): Promise<ItemEnd> | undefined;
}

/** One request of a server. */
export interface Asking {
  readonly spec: ServerSpec;
  readonly log: ServerLog;
  readonly help: ServerHelp;
  /** True if the tool runs while the server waits for the answer. */
  readonly waits: boolean;
  /** Tells equal requests of one call apart. */
  readonly mark?: string;
  /** Aborts when the server does not wait any longer. */
  readonly signal?: AbortSignal;
}
