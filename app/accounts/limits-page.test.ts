import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { POST as beginLogin } from '@/app/api/v1/logins/route';
import { GET as listProjects } from '@/app/api/v1/projects/route';
import { GET as openInvitation, POST as takeInvitation } from '@/app/invite/route';
import { GET as openReset, POST as takeReset } from '@/app/reset/route';
import { GET as openSetup, POST as takeSetup } from '@/app/setup/route';
import { GET as openShare } from '@/app/share/[token]/route';
import { POST as giveCode } from '@/app/sign-in/code/route';
import { POST as givePasskey } from '@/app/sign-in/passkey/route';
import { POST as givePassword } from '@/app/sign-in/route';
import { AppError } from '@/lib/base/app-error';
import { codeAt } from '@/lib/server/accounts/one-time-code';
import { beginOwnFactor, changeOwnPassword, confirmOwnFactor } from '@/lib/server/accounts/own-account';
import { resolveActor } from '@/lib/server/accounts/resolve-actor';
import { signInWithPassword } from '@/lib/server/accounts/sign-in';
import { newShareToken, newToken } from '@/lib/server/accounts/token-text';
import { mostAlerts } from '@/lib/store/alerts';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';

/* What docs/limits.md promises for sign-in holds: each row of its table is tried at the routes, until one try is too many. */

withAccounts();
const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));

/** What came of a try: its status, and the header `Retry-After`. */
type Tried = readonly [status: number, retryAfter: string | null];
/** Makes the tries of a row. `n` counts from 0. */
type Probe = () => Promise<(n: number) => Promise<Tried>>;

let networks = 0;
/** An address that no other row uses. */
const newAddress = () => `198.51.100.${networks++}`;
const noParams = { params: Promise.resolve({}) };
let people = 0;
const newPerson = async () => await makePerson(store, `person${people++}@limits.example`);

function asked(path: string, from: string, fields?: Readonly<Record<string, string>>, cookies: readonly string[] = []) {
  const body = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) };
  const request = browserRequest(cookies, path, { ...body, headers: { origin: 'http://127.0.0.1:3000' } });
  request.headers.set('x-callboard-client', from);
  return request;
}

const ends = async (answer: Promise<Response>): Promise<Tried> => {
  const { status, headers } = await answer;
  return [status, headers.get('retry-after')];
};

const wrong = async (email: string, from: string) =>
  await ends(givePassword(asked('/sign-in', from, { email, password: 'wrong wrong wrong' }), noParams));

async function signedIn() {
  const { email } = await newPerson();
  const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
  const request = browserRequest(cookies);
  const actor = await resolveActor(request);
  if (actor === undefined) throw new Error('Not signed in');
  return { email, request, actor };
}

const links = (open: typeof openReset, take: typeof takeReset, path: string): Probe => {
  return async () => {
    const from = newAddress();
    return async (n) =>
      n % 2 === 0
        ? await ends(open(asked(`${path}?token=wrong${n}`, from), noParams))
        : await ends(take(asked(path, from, { token: `wrong${n}`, name: 'a', email: 'a@b.example' }), noParams));
  };
};

/** By the first two cells of a row. */
const probes: Readonly<Record<string, readonly Probe[]>> = {
  'passwords / an address and an account together': [
    async () => {
      const [{ email }, from] = [await newPerson(), newAddress()];
      return () => wrong(email, from);
    },
  ],
  'passwords / an address': [
    async () => {
      const from = newAddress();
      return async () => await wrong((await newPerson()).email, from);
    },
  ],
  'passwords / an account, over all addresses': [
    async () => {
      const { email } = await newPerson();
      return (n) => wrong(email, `203.0.113.${n}`);
    },
  ],
  'passwords that are asked for again on *Account*, also for a passkey / a person': [
    async () => {
      const { actor, request } = await signedIn();
      return async () => {
        try {
          await changeOwnPassword(actor, request, { present: 'wrong wrong', next: 'another set of words' });
          return [200, null];
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return [error.code === 'too_many' ? 429 : 401, error.details.retryAfter ?? null];
        }
      };
    },
  ],
  'codes of the second factor / a person': [
    async () => {
      const { email, actor, request } = await signedIn();
      const { secret } = await beginOwnFactor(actor, request, testPassword);
      await confirmOwnFactor(actor, request, codeAt(secret, Date.now()));
      const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
      return (n) => ends(giveCode(asked('/sign-in/code', newAddress(), { code: `aaaaa-aaaa${n}` }, cookies), noParams));
    },
  ],
  'setup links, invitations, links for a new password / an address': [
    links(openSetup, takeSetup, '/setup'),
    links(openInvitation, takeInvitation, '/invite'),
    links(openReset, takeReset, '/reset'),
  ],
  'sign-ins with a passkey / an address': [
    async () => {
      const from = newAddress();
      return () => ends(givePasskey(asked('/sign-in/passkey', from, { credential: '{}' }), noParams));
    },
  ],
  'wrong tokens / an address': [
    async () => {
      const from = newAddress();
      return async () => {
        const request = asked('/api/v1/projects', from);
        request.headers.set('authorization', `Bearer ${newToken()}`);
        return await ends(listProjects(request, noParams));
      };
    },
  ],
  'wrong [share links](share-links.md) / an address': [
    async () => {
      const from = newAddress();
      return async () => {
        const token = newShareToken();
        return await ends(openShare(asked(`/share/${token}`, from), { params: Promise.resolve({ token }) }));
      };
    },
  ],
  'beginning `callboard login` / an address': [
    async () => {
      const from = newAddress();
      return async () => {
        const request = browserRequest([], '/api/v1/logins', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-callboard-client': from },
          body: JSON.stringify({ machine: 'a', scopes: ['read'] }),
        });
        request.headers.set('x-callboard-client', from);
        return await ends(beginLogin(request, noParams));
      };
    },
  ],
};

/** The rows of the table below *Sign-in*. A row without a first cell is about what the row above is about. */
function rowsOfPage() {
  const page = readFileSync('docs/limits.md', 'utf8').split('\n## Sign-in\n')[1]?.split('\n## ')[0] ?? '';
  let what = '';
  return page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| what |'))
    .map((line) => {
      const [first = '', whom = '', most = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      what = first === '' ? what : first;
      return { row: `${what} / ${whom}`, most: Number.parseInt(most, 10) };
    });
}

test('the page names each limit that is tried here, and no other', () => {
  expect(rowsOfPage().map(({ row }) => row)).toEqual(Object.keys(probes));
});

test.each(rowsOfPage())('$row: $most at most', async ({ row, most }) => {
  for (const probe of probes[row] ?? []) {
    const attempt = await probe();
    const tried: Tried[] = [];
    for (let n = 0; n <= most; n += 1) tried.push(await attempt(n));
    const [last, before] = [tried.at(-1), tried.slice(0, -1)];
    expect(before.filter(([status]) => status === 429)).toEqual([]);
    expect(last).toEqual([429, expect.stringMatching(/^\d+$/)]);
  }
});

test('the page says how many alerts there may be', () => {
  const page = readFileSync('docs/limits.md', 'utf8');
  expect(page).toContain(`| [alerts](runs.md#alerts) on the runs of one project | a project | ${mostAlerts} |`);
  expect(page).toContain(`| alerts on the runs of all projects together | the installation | ${mostAlerts} |`);
});

const tries = readFileSync('lib/server/limits/tries.ts', 'utf8');

test.each([
  ['| requests with a token | a token', 'token'],
  ['| `POST /v1/traces`, `/v1/logs` and `/v1/metrics`, together | a token, or a person in a browser', 'traces'],
  ['| requests of [A2A](a2a.md) | the same', 'a2a'],
  ['| requests of [MCP](mcp-server.md) | the same', 'mcp'],
  ['| messages with a signature that fits | a [trigger](triggers.md#webhooks)', 'webhook'],
  ['| requests without one | an address', "'wrong webhook'"],
  ['| tests of a webhook or a mail address in *Settings* | the webhook or the address', "'test notice'"],
  ['| pushes to a [mirror](git.md#a-mirror) that people ask for | a project', "'mirror push'"],
])('%s: the number of the code', (row, name) => {
  const numbers = new RegExp(`^ {2}${name}: \\{\\s*most: ([\\d_]+),\\s*seconds: (?:(\\d+) \\* )?minutes,`, 'm');
  const [, most = '', minutes] = numbers.exec(tries) ?? [];
  const within = minutes === undefined ? 'a minute' : `${minutes} minutes`;
  const amount = Number(most.replaceAll('_', '')).toLocaleString('en-US');
  expect(readFileSync('docs/limits.md', 'utf8')).toContain(`${row} | ${amount} in ${within} |`);
});
