import { AppError } from '@/lib/base/app-error';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { contentBlock } from '@/lib/runtime/record/message-schema';
import type { InnerResult } from './sub-agent-result';

/** The results that were submitted for suspended delegations and not used yet, by the id of the delegation's call. As JSON. */
export type SavedResults = Readonly<Record<string, SavedDelegation>>;

export interface SavedDelegation {
  readonly sessionId: string;
  readonly results: readonly InnerResult[];
}

/**
 * Collects submitted results until the run takes them. A delegation has its session registered before it gets results; another
 * session in its place drops what was collected for the former one.
 */
export class PendingResults {
  private readonly delegations = new Map<string, { readonly sessionId: string; readonly results: InnerResult[] }>();

  /** Reads what `saved` returned. Anything else in it is left out. */
  static from(saved: unknown): PendingResults {
    const made = new PendingResults();
    for (const [id, one] of Object.entries(isRecord(saved) ? saved : {})) {
      if (!isRecord(one) || typeof one.sessionId !== 'string') continue;
      made.setSession(id, one.sessionId);
      for (const result of Array.isArray(one.results) ? one.results : []) {
        const read = readResult(result);
        if (read) made.add(id, [read]);
      }
    }
    return made;
  }

  get isEmpty(): boolean {
    return this.delegations.size === 0;
  }

  /** Registers a delegation. Throws AppError `bad_request` for an empty id. */
  setSession(id: string, sessionId: string): void {
    if (id === '' || sessionId === '') throw missing('the id of a delegation and its session');
    if (this.delegations.get(id)?.sessionId === sessionId) return;
    this.delegations.set(id, { sessionId, results: [] });
  }

  /** Adds results in order. Throws AppError `bad_request` for no results, and `not_found` for a delegation that is not registered. */
  add(id: string, results: readonly InnerResult[]): void {
    if (!Array.isArray(results) || results.length === 0 || results.some((one) => !isRecord(one)))
      throw missing('a result');
    const known = this.delegations.get(id);
    if (!known) throw new AppError('not_found', `No pending result for tool: ${id}`);
    known.results.push(...results);
  }

  has(id: string): boolean {
    return this.delegations.has(id);
  }

  sessionOf(id: string): string | undefined {
    return this.delegations.get(id)?.sessionId;
  }

  /** Returns a copy of the results, in the order in which they were submitted. */
  of(id: string): readonly InnerResult[] {
    return [...(this.delegations.get(id)?.results ?? [])];
  }

  /** Removes the results of calls that have ended. */
  drop(id: string, calls: ReadonlySet<string>): void {
    const known = this.delegations.get(id);
    if (known) known.results.splice(0, known.results.length, ...known.results.filter((one) => !calls.has(one.id)));
  }

  remove(id: string): void {
    this.delegations.delete(id);
  }

  clear(): void {
    this.delegations.clear();
  }

  ids(): readonly string[] {
    return [...this.delegations.keys()];
  }

  saved(): SavedResults {
    return Object.fromEntries([...this.delegations].map(([id, one]) => [id, { ...one, results: [...one.results] }]));
  }
}

function readResult(value: Json | undefined): InnerResult | undefined {
  if (!isRecord(value) || typeof value.id !== 'string') return undefined;
  const content = contentBlock.array().safeParse(value.content);
  if (!content.success) return undefined;
  const runs = readRuns(value.runs);
  return {
    id: value.id,
    content: content.data,
    ...(value.isError === true && { isError: true }),
    ...(runs !== undefined && { runs }),
  };
}

function readRuns(value: Json | undefined): InnerResult['runs'] {
  if (value === 'as-asked') return value;
  const args = value !== undefined && isObject(value) ? value.arguments : undefined;
  return args !== undefined && isObject(args) ? { arguments: args } : undefined;
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}

function missing(what: string): AppError {
  return new AppError('bad_request', `This needs ${what}.`);
}
