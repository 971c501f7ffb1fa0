import type { Actor } from '@/lib/base/actor';
import { roles } from '@/lib/base/rights';
import type { HeaderReader } from '@/lib/server/access';
import { systemStore } from '@/lib/server/services';
import type { SessionPerson } from '@/lib/store/auth-sessions';
import { findSession, sessionTokens } from './session';

/**
 * Returns who sent a request where accounts are on: the person of its session, with the roles of now. `undefined` for nobody. A request
 * without a signed cookie asks nothing of the database.
 */
export async function resolveActor({ headers }: { readonly headers: HeaderReader }): Promise<Actor | undefined> {
  const person = await resolveSession(headers);
  return person === undefined ? undefined : actorOfPerson(person, headers);
}

/** Returns the session of a request, or `undefined`. */
export async function resolveSession(headers: HeaderReader): Promise<SessionPerson | undefined> {
  if (sessionTokens(headers).length === 0) return undefined;
  return await systemStore((store) => findSession(store, headers));
}

function actorOfPerson(person: SessionPerson, headers: HeaderReader): Actor {
  const { email, userId, name, isAdministrator, makesProjects, lacksSecondFactor, members } = person;
  const known = members.flatMap(({ project, role, answers }) => {
    const own = roles.find((each) => each === role);
    return own === undefined ? [] : [[project, { role: own, answers }] as const];
  });
  const via = headers.get('sec-fetch-site') === null ? 'api' : 'web';
  const who = { kind: 'person', userId, name, isAdministrator, makesProjects, members: new Map(known) } as const;
  return { by: email, via, reach: lacksSecondFactor ? { ...who, lacksSecondFactor } : who };
}
