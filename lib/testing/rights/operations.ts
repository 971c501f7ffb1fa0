import { actionDecisions } from './action-decisions';
import type { Answer, Sending } from './asking';
import type { Decided } from './decisions';
import { everyAction } from './every-action';
import { everyRoute, paramsOf } from './every-route';
import { type FullProject, namedParts } from './full-project';
import { moreActionAsks, moreRouteAsks } from './more-asks';
import { routeDecisions } from './route-decisions';

/** A route or an action of the app with what is decided for it. */
export interface Operation {
  readonly name: string;
  readonly kind: 'route' | 'action';
  readonly decided: Decided;
  ask(full: FullProject, by: Sending): Promise<Answer>;
}

export interface Operations {
  /** Each has one row of decisions. */
  readonly every: readonly Operation[];
  /** Other ways to name a part of a project. */
  readonly more: readonly Operation[];
  /** The names of what is below the folder `app`, and of the rows. */
  readonly found: readonly string[];
  readonly decided: readonly string[];
}

/** Lists every route and server action below the folder `app`. */
export async function operations(app: string): Promise<Operations> {
  const [routes, actions] = [await everyRoute(app), await everyAction(app)];
  const of = (kind: Operation['kind'], rows: Readonly<Record<string, Decided>>) =>
    Object.entries(rows).map(([name, decided]): Operation => {
      const ask = (kind === 'route' ? routes : actions).get(nameOf(name));
      return {
        ...{ name, kind, decided },
        ask: (full, by) => {
          if (ask === undefined) throw new Error(`There is no ${name}`);
          return ask(name, decided, full, by);
        },
      };
    });
  const every = [...of('route', routeDecisions), ...of('action', actionDecisions)];
  return {
    every,
    more: [...of('route', moreRouteAsks), ...of('action', moreActionAsks)],
    found: [...routes.keys(), ...actions.keys()].sort(),
    decided: [...new Set(every.map(({ name }) => nameOf(name)))].sort(),
  };
}

/** A row may be another way to ask, which follows the name after a space. */
function nameOf(row: string): string {
  return row.split(' ', 2).join(' ');
}

/** Lists the parts of a project that an operation names, without what it is about. */
export function partsOf(operation: Operation, sample: FullProject): readonly (typeof namedParts)[number][] {
  const { of, another, query, input } = operation.decided;
  if (of === 'list' || of === 'open' || of === 'installation') return [];
  const read = new Set<string>();
  const noted = new Proxy(sample, {
    get(full, key) {
      read.add(String(key));
      return Reflect.get(full, key);
    },
  });
  if (operation.kind === 'route') paramsOf(operation.name, noted);
  query?.(noted);
  input?.(noted);
  const own: string = another === 'instead' ? 'asking' : of;
  return namedParts.filter((part) => read.has(part) && part !== own);
}
