import type { EventBody, ModelDelta } from './events';

/**
 * Receives events. `append` is synchronous, keeps order, and may be called thousands of times a second, so the writer saves
 * in batches. `flush` resolves when everything appended so far is durable. Neither throws into the loop: a writer that
 * cannot write aborts the run's signal.
 */
export interface EventSink {
  append(body: EventBody): void;
  /** Receives streamed text. It is not stored and may be dropped. */
  delta?(delta: ModelDelta): void;
  flush(): Promise<void>;
}
