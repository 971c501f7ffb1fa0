import { clausesOf, type RunCondition, readConditions } from '@/lib/trace/run-filter';

/** Reads a filter as an address has it, such as `status=failed&duration.gt=5s`. */
export function conditionsOf(query: string): readonly RunCondition[] {
  const clauses = clausesOf(new URLSearchParams(query));
  const read = clauses.ok ? readConditions(clauses.value, Date.now()) : clauses;
  if (!read.ok) throw new Error(read.error);
  return read.value;
}
