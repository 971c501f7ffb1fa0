import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { type Membership, type Role, roles, type Scope } from '@/lib/base/rights';
import type { TokenRequest } from '@/lib/base/token-request';
import { makeToken } from '@/lib/server/accounts/tokens';
import type { Store } from '@/lib/store/database';

/** Lets a test file ask the app with accounts, on its database. Call it at the top of the file. */
export function withTokens(databaseUrl: string): void {
  beforeAll(() => {
    vi.stubEnv('DATABASE_URL', databaseUrl);
    vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
    vi.stubEnv('CALLBOARD_OPEN', '');
    vi.stubEnv('PORT', '3000');
  });
  afterAll(() => void vi.unstubAllEnvs());
}

interface PersonOptions {
  readonly administrator?: boolean;
  readonly in?: Readonly<Record<ProjectId, Role>>;
}

/** Makes a person who may also answer, and returns who that is in a browser. */
export async function personInBrowser(store: Store, email: string, options: PersonOptions = {}): Promise<Actor> {
  const { administrator = false, in: places = {} } = options;
  const id = randomUUID();
  const name = email.split('@')[0] ?? email;
  await store.prisma.authUser.create({ data: { id, name, email, administrator } });
  const members = new Map<ProjectId, Membership>();
  for (const [project, role] of Object.entries(places)) {
    await store.prisma.member.create({
      data: { projectId: project, userId: id, role, answers: true, addedBy: 'local' },
    });
    members.set(brandAs<ProjectId>(project), { role: roles.find((each) => each === role) ?? 'viewer', answers: true });
  }
  return {
    by: email,
    via: 'web',
    reach: { kind: 'person', userId: id, name, isAdministrator: administrator, members },
  };
}

/** Makes a token in the browser of a person. Returns its text. */
export async function tokenFor(
  actor: Actor,
  scopes: readonly Scope[],
  rest: Partial<Omit<TokenRequest, 'scopes'>> = {},
): Promise<string> {
  return (await makeToken(actor, { name: 'a script', project: null, days: 90, ...rest, scopes })).token;
}

/** A request as a script sends it. `from` is its address. */
export function scriptRequest(
  authorization: string | undefined,
  { path = '/', from = '192.0.2.9', ...init }: RequestInit & { readonly path?: string; readonly from?: string } = {},
): Request {
  const headers = new Headers(init.headers);
  headers.set('host', '127.0.0.1:3000');
  headers.set('x-callboard-client', from);
  if (authorization !== undefined) headers.set('authorization', authorization);
  return new Request(`http://127.0.0.1:3000${path}`, { ...init, headers });
}
