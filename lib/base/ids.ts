/** Ids are branded so that a run cannot be looked up by a project's id. They are made at the edges, never in pure code. */
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

export type ProjectId = Brand<string, 'ProjectId'>;
export type RunId = Brand<string, 'RunId'>;
/** Names a delegation; the root one is the run's and may be shared by several runs. */
export type CorrelationId = Brand<string, 'CorrelationId'>;
/** The provider's id of a tool call. Unique only within one instance. */
export type CallId = Brand<string, 'CallId'>;
/** `PMO-orchestrator/NY-Project-Manager[2]`: unique in a run. */
export type InstancePath = Brand<string, 'InstancePath'>;
/** Names one step of one instance (`<path>#m3`, `<path>#t7`): the journal's key. */
export type StepKey = Brand<string, 'StepKey'>;
/** sha-256 of a file's bytes, lower-case hex. */
export type BlobHash = Brand<string, 'BlobHash'>;
/** sha-256 of a tree's canonical listing, lower-case hex. */
export type TreeHash = Brand<string, 'TreeHash'>;

/** Milliseconds since the Unix epoch, with fractions. */
export type EpochMs = Brand<number, 'EpochMs'>;

/** The one place where a plain string or number becomes a branded one. */
export function brandAs<B extends Brand<string | number, string>>(value: B extends string ? string : number): B {
  return value as unknown as B;
}
