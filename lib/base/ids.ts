/** Branded ids let the compiler reject a project's id where a run's is needed. Pure code gets ids as arguments. */
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

export type ProjectId = Brand<string, 'ProjectId'>;
export type RunId = Brand<string, 'RunId'>;
/** A task of an editor for a worker, such as the probe of a server. */
export type TaskId = Brand<string, 'TaskId'>;
/** Identifies a delegation. The root id belongs to the run; several runs may share it. */
export type CorrelationId = Brand<string, 'CorrelationId'>;
/** The provider's id of a tool call. It is unique within one instance only. */
export type CallId = Brand<string, 'CallId'>;
/** Identifies an instance in its run, such as `PMO-orchestrator/NY-Project-Manager[2]`. */
export type InstancePath = Brand<string, 'InstancePath'>;
/** Identifies a step of an instance in the log, such as `<path>#m3` or `<path>#t7`. */
export type StepKey = Brand<string, 'StepKey'>;
/** Identifies a question that a run asked people. It is the same in every stint of the run. */
export type PendingId = Brand<string, 'PendingId'>;
/** The SHA-256 of a file's bytes as lower-case hex. */
export type BlobHash = Brand<string, 'BlobHash'>;
/** The SHA-256 of a tree's canonical listing as lower-case hex. */
export type TreeHash = Brand<string, 'TreeHash'>;

/** Milliseconds since the Unix epoch, with fractions. */
export type EpochMs = Brand<number, 'EpochMs'>;

/** Brands a plain string or number. No other code casts to a branded type. */
export function brandAs<B extends Brand<string | number, string>>(value: B extends string ? string : number): B {
  return value as unknown as B;
}
