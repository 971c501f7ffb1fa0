import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { knownFields, unknownSentence } from './known-fields';
import { checkInput } from './read-body';

/** Describes the query of a route: a schema, whose parts may each be given once, or a function that reads the query. */
export type Query<Q> = z.ZodType<Q> | QueryReader<Q>;

export interface QueryReader<Q> {
  /** The names of the parts, or `any` where another program writes the address. */
  readonly parts: readonly string[] | 'any';
  readonly read: (params: URLSearchParams) => Q;
}

export const noQuery: QueryReader<undefined> = { parts: [], read: () => undefined };
export const anyQuery: QueryReader<URLSearchParams> = { parts: 'any', read: (params) => params };

/** Reads the query of a request. Throws AppError `bad_request` for a part that is unknown or wrong. */
export function readQuery<Q>({ url }: Pick<Request, 'url'>, query: Query<Q>): Q {
  const params = new URL(url).searchParams;
  const parts = query instanceof z.ZodType ? knownFields(query, []) : query.parts;
  if (parts !== 'any') expectKnown(params, parts);
  if (!(query instanceof z.ZodType)) return query.read(params);
  const twice = [...params.keys()].find((name) => params.getAll(name).length > 1);
  if (twice !== undefined) {
    throw new AppError('bad_request', `The query has the part ${JSON.stringify(twice)} twice. Send each part once.`);
  }
  return checkInput(Object.fromEntries(params), query);
}

function expectKnown(params: URLSearchParams, parts: readonly string[]): void {
  const unknown = [...params.keys()].find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new AppError('bad_request', unknownSentence('query part', unknown, parts));
}
