import type { Result } from '@/lib/base/result';
import type { GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';

/** A person's sign-in at an MCP server, as connections use it. Settings of servers are compared without its functions. */
export interface SignIn {
  readonly id: string;
  /**
   * Returns the token for a request. With `refused` it returns another one, because the server has refused that. The error says why
   * there is none, as a sentence. Rejects only while the database is away.
   */
  token(refused?: string): Promise<Result<string, string>>;
  /** The secrets that are known now. They are hidden in what is recorded. */
  hidden(): readonly string[];
}

/** The sign-ins that runs of a project may use. */
export interface SignIns {
  /** Returns the sign-in at exactly this address. */
  at(address: string): SignIn | undefined;
}

/** The sign-ins of a project where nobody has signed in. */
export const noSignIns: SignIns = { at: () => undefined };

/** The error of a request to a server at which somebody has to sign in. Users may see its message. */
export class SignInNeeded extends Error {}

type Fetch = GuardedFetch['fetch'];

interface SignedServer {
  readonly name: string;
  readonly url: string;
  /** Set if people may sign in there. `howTo` says where. */
  readonly auth?: { readonly howTo: string };
  readonly signIn?: SignIn;
}

/**
 * Makes a `fetch` that sends the token of a sign-in, to the origin of the server alone. A refused token is renewed once. Where a person
 * has to sign in, it fails with SignInNeeded and tells `onNeeded` the sentence, because not every caller keeps the error.
 */
export function signedFetch(fetch: Fetch, server: SignedServer, onNeeded: (sentence: string) => void): Fetch {
  const { name, url, auth, signIn } = server;
  if (auth === undefined) return fetch;
  const { origin } = new URL(url);
  const needed = (why: string | undefined): SignInNeeded => {
    const sentence = `Server '${name}' needs a sign-in. ${why === undefined ? '' : `${why} `}${auth.howTo}`;
    onNeeded(sentence);
    return new SignInNeeded(sentence);
  };
  const tokenOf = async (refused?: string): Promise<string | undefined> => {
    const token = await signIn?.token(refused);
    if (token === undefined || token.ok) return token?.value;
    throw needed(token.error);
  };
  return async (input, init = {}) => {
    if (new URL(input).origin !== origin) return await fetch(input, init);
    const token = await tokenOf();
    let response = await fetch(input, withToken(init, token));
    if (response.status === 401 && token !== undefined) {
      await response.body?.cancel();
      response = await fetch(input, withToken(init, await tokenOf(token)));
    }
    if (response.status !== 401 || !asksForToken(response)) return response;
    await response.body?.cancel();
    throw needed(token === undefined ? undefined : 'It refuses the one that is kept.');
  };
}

/** Servers of protocol 2025-03-26 need not say which scheme they want. */
function asksForToken({ headers }: Response): boolean {
  const challenge = headers.get('www-authenticate');
  return challenge === null || /(?:^|,)\s*bearer\b/i.test(challenge);
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
