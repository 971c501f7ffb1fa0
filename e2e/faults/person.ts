import assert from 'node:assert/strict';
import { password } from '../people';
import type { FaultApp } from './app';

type Body = Readonly<Record<string, unknown>>;

/** Somebody who is signed in, as a page of the app asks for them. */
export interface Person {
  /** Sends a request. `body` is `undefined` if nobody answered, or not with JSON. */
  ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: Body | undefined }>;
  /** Works like `ask`, and rejects unless the app has acknowledged the request. Without a body in the answer it is empty. */
  must(method: string, path: string, body?: unknown): Promise<Body>;
  text(path: string): Promise<string>;
}

/** Follows the link that the first start prints. */
export async function makeAdministrator(app: FaultApp): Promise<Person> {
  const token = /setup\?token=(\S+)/.exec(app.lastWords())?.[1];
  assert.ok(token, `the launcher printed no link: ${app.lastWords()}`);
  const answer = await fetch(`${app.url}/setup`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app.url, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ token, name: 'Ann', email: 'ann@example.org', password }),
  });
  assert.equal(answer.status, 303, await answer.text());
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  return personOf(app.url, cookie.join('; '));
}

function personOf(url: string, cookie: string): Person {
  const send = async (method: string, path: string, body?: unknown) =>
    await fetch(`${url}${path}`, {
      method,
      headers: {
        ...{ cookie, origin: url, 'sec-fetch-site': 'same-origin' },
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
  const ask: Person['ask'] = async (method, path, body) => {
    const answer = await send(method, path, body).catch(() => undefined);
    const text = (await answer?.text().catch(() => undefined)) ?? '';
    return {
      status: answer?.status ?? 0,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined,
    };
  };
  return {
    ask,
    async must(method, path, body) {
      const answer = await ask(method, path, body);
      if (answer.status >= 200 && answer.status < 300) return answer.body ?? {};
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
    async text(path) {
      return await (await send('GET', path)).text();
    },
  };
}
