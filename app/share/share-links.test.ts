import { gunzipSync } from 'node:zlib';
import { NextRequest } from 'next/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { GET as readExport } from '@/app/api/v1/runs/[run]/export/route';
import { GET as readRun } from '@/app/api/v1/runs/[run]/route';
import { POST as giveScore, GET as listScores } from '@/app/api/v1/runs/[run]/scores/route';
import { DELETE as revokeRoute } from '@/app/api/v1/runs/[run]/shares/[share]/route';
import { GET as listRoute, POST as makeRoute } from '@/app/api/v1/runs/[run]/shares/route';
import { GET as read } from '@/app/share/run/[link]/api/[[...rest]]/route';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import type { RunMarks } from '@/lib/base/run-marks';
import { systemClock } from '@/lib/jobs/system-clock';
import { makeShare, revokeShare } from '@/lib/server/accounts/shares';
import { readRunEvent } from '@/lib/server/runs';
import { findAudit } from '@/lib/store/audit';
import { createEventWriter } from '@/lib/store/event-writer';
import { saveScore } from '@/lib/store/scores';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { finished, logged, storedRun, taken } from '@/lib/testing/stored-run';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';
import { proxy } from '@/proxy';
import { GET as openLink } from './[token]/route';

const { url, store } = await testDatabase();
withTokens(url);

const word = 'planted-word-of-the-run';
const starter = 'starter@share.example';
let run: RunId;
let goesOn: RunId;
let ann: Actor;
let token: string;

beforeAll(async () => {
  run = await runWith(word, true);
  goesOn = await runWith(word, false);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });
  const { projectId: other } = await store.prisma.run.findUniqueOrThrow({ where: { id: goesOn } });
  ann = await personInBrowser(store, 'ann@share.example', {
    in: { [brandAs<ProjectId>(projectId)]: 'editor', [brandAs<ProjectId>(other)]: 'editor' },
  });
  token = await tokenFor(ann, ['edit']);
});

async function runWith(text: string, ends: boolean): Promise<RunId> {
  const id = await storedRun(store);
  await store.prisma.run.update({
    where: { id },
    data: { message: JSON.stringify(text), correlationId: `${text}-${id}`, startedBy: starter },
  });
  const { epoch } = await taken(store, id, 'w');
  const options = { startSeq: 0, epoch, clock: systemClock, onLost: () => undefined, batchMs: 0 };
  const writer = createEventWriter(store, id, options);
  writer.append(logged(text));
  if (ends) writer.append(finished);
  await writer.flush();
  writer.close();
  return id;
}

/** Stores a run whose first event has what its caller said of it. */
async function markedRun(marks: RunMarks): Promise<RunId> {
  const runId = await storedRun(store);
  const { epoch } = await taken(store, runId, 'w');
  const options = { startSeq: 0, epoch, clock: systemClock, onLost: () => undefined, batchMs: 0 };
  const writer = createEventWriter(store, runId, options);
  const correlationId = brandAs<CorrelationId>(runId);
  writer.append({ kind: 'run.started', runId, correlationId, entryAgent: 'a', message: word, scripted: false, marks });
  writer.append(finished);
  await writer.flush();
  writer.close();
  return runId;
}

/** Opens a link as a browser does. Returns the answer, its page and the cookie. */
async function open(text: string, headers: Record<string, string> = {}) {
  const request = new Request(`http://127.0.0.1:3000/share/${text}`, {
    headers: { host: '127.0.0.1:3000', ...headers },
  });
  const response = await openLink(request, { params: Promise.resolve({ token: text }) });
  const page = new URL(response.headers.get('location') ?? 'http://none/').pathname;
  return { response, page, cookie: response.headers.get('set-cookie') ?? '' };
}

/** Reads something below the page of a link. */
async function readBelow(page: string, cookie: string, rest: readonly string[], query = '', accept = '*/*') {
  const link = page.split('/').at(-1) ?? '';
  const address = `http://127.0.0.1:3000${page}/api/${rest.join('/')}${query}`;
  const request = new Request(address, {
    headers: { host: '127.0.0.1:3000', cookie: cookie.split(';', 1)[0] ?? '', accept },
  });
  return await read(request, { params: Promise.resolve({ link, rest }) });
}

const pageOf = (page: string, cookie: string, method = 'GET') =>
  proxy(
    new NextRequest(`http://127.0.0.1:3000${page}`, {
      method,
      headers: { host: '127.0.0.1:3000', cookie: cookie.split(';', 1)[0] ?? '' },
    }),
  );

describe('a link', () => {
  test('opens its run without an account, and leads to an address without its token', async () => {
    const link = await makeShare(ann, run, { hours: 24, texts: false });
    const { response, page, cookie } = await open(link.token);
    expect(response.status).toBe(303);
    expect(page).toBe(`/share/run/${link.id}`);
    expect(cookie).toContain(`Path=/share/run/${link.id}; HttpOnly; SameSite=Lax`);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const shown = await pageOf(page, cookie);
    expect([shown.status, shown.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    expect((await pageOf(page, '')).status).toBe(404);
    expect((await pageOf(page, cookie, 'POST')).status).toBe(404);
    const [listed] = (await makeShare(ann, run, { hours: 1, texts: false })).links.slice(-1);
    expect(listed).toMatchObject({ id: link.id, opens: 1, by: 'ann@share.example', texts: false });
  });

  test('the database has the hash of a token, and the audit log how it begins', async () => {
    const { token: text, id } = await makeShare(ann, run, { hours: 24, texts: true });
    const row = await store.prisma.shareLink.findUniqueOrThrow({ where: { id } });
    expect(JSON.stringify(row)).not.toContain(text);
    expect(row.prefix).toBe(text.slice(0, 12));
    const [entry] = await findAudit(store, { actions: ['share.created'], limit: 1 }, undefined);
    expect(entry).toMatchObject({ actor: 'ann@share.example', object: id });
    expect(JSON.parse(entry?.body ?? '')).toEqual({ run, prefix: text.slice(0, 12), hours: 24, texts: true });
    await revokeShare(ann, run, id);
    expect((await findAudit(store, { actions: ['share.revoked'], limit: 1 }, undefined))[0]?.object).toBe(id);
    await expect(revokeShare(ann, run, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a link without texts answers no text, and a link with texts answers all of them', async () => {
    for (const texts of [false, true]) {
      const link = await makeShare(ann, run, { hours: 24, texts });
      const { page, cookie } = await open(link.token);
      const bodies = {
        run: await (await readBelow(page, cookie, [])).text(),
        timeline: gunzipSync(await (await readBelow(page, cookie, ['timeline'])).arrayBuffer()).toString('latin1'),
        stream: await (await readBelow(page, cookie, ['events'], '?view=slim', 'text/event-stream')).text(),
      };
      for (const [what, body] of Object.entries(bodies)) {
        expect([texts, what, body.includes(word)]).toEqual([texts, what, texts]);
        expect(body).not.toContain(starter);
        expect(body.length).toBeGreaterThan(40);
      }
      const more = [
        await readBelow(page, cookie, ['events']),
        await readBelow(page, cookie, ['events'], '?view=slim'),
        await readBelow(page, cookie, ['events'], '?seq=1&view=preview'),
        await readBelow(page, cookie, ['events', '1']),
        await readBelow(page, cookie, ['search'], `?text=${word}`),
        await readBelow(page, cookie, ['graph']),
      ];
      for (const answer of more) {
        expect([texts, answer.status]).toEqual([texts, texts ? expect.toBeOneOf([200, 413]) : 403]);
        if (!texts) expect(await answer.text()).not.toContain(word);
      }
      expect((await readBelow(page, cookie, ['export'], '?as=events')).status).toBe(404);
      expect((await readBelow(page, cookie, ['timeline', 'x'])).status).toBe(404);
    }
  });

  test('no link shows the user, the tags and the metadata of its run', async () => {
    const user = 'planted-user';
    const marks = { user, tags: ['planted-tag'], metadata: { tier: 'planted-tier' } };
    const runId = await markedRun(marks);
    const { token: text } = await makeShare(localActor, runId, { hours: 24, texts: true });
    const { page, cookie } = await open(text);
    const shown = {
      events: await readBelow(page, cookie, ['events']),
      bySeq: await readBelow(page, cookie, ['events'], '?seq=1'),
      short: await readBelow(page, cookie, ['events'], '?seq=1&view=short'),
      one: await readBelow(page, cookie, ['events', '1']),
      stream: await readBelow(page, cookie, ['events'], '', 'text/event-stream'),
    };
    for (const [what, answer] of Object.entries(shown)) {
      const body = await answer.text();
      expect([what, body.includes('run.started'), /planted-(user|tag|tier)/.test(body)]).toEqual([what, true, false]);
    }
    expect(await (await readBelow(page, cookie, ['search'], `?text=${user}`)).json()).toMatchObject({ seqs: [] });
    expect(await readRunEvent(localActor, runId, 1)).toMatchObject({ marks });
  });

  test('no link shows scores, notes or their mean', async () => {
    await saveScore(store, run, { name: 'quality', value: 0.25, note: 'planted-note' }, ann);
    for (const texts of [true, false]) {
      const { token } = await makeShare(ann, run, { hours: 24, texts });
      const { page, cookie } = await open(token);
      const shown = await (await readBelow(page, cookie, [])).text();
      expect(shown).not.toMatch(/planted-note|score|0\.25/);
      expect((await readBelow(page, cookie, ['scores'])).status).toBe(404);
      for (const [route, method] of [[listScores, 'GET'] as const, [giveScore, 'POST'] as const]) {
        const init = { method, ...(method === 'POST' && { body: '{"value":1}' }) };
        expect((await route(scriptRequest(`Bearer ${token}`, init), { params: Promise.resolve({ run }) })).status).toBe(
          403,
        );
      }
    }
  });

  test('a script may send the token, which opens one run and changes nothing', async () => {
    const link = await makeShare(ann, run, { hours: 24, texts: false });
    const ask = scriptRequest(`Bearer ${link.token}`);
    expect((await readRun(ask, { params: Promise.resolve({ run }) })).status).toBe(200);
    expect((await readRun(ask, { params: Promise.resolve({ run: goesOn }) })).status).toBe(404);
    const file = scriptRequest(`Bearer ${link.token}`, { path: '/x?as=events' });
    expect((await readExport(file, { params: Promise.resolve({ run }) })).status).toBe(403);
    const more = await makeRoute(
      scriptRequest(`Bearer ${link.token}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      }),
      { params: Promise.resolve({ run }) },
    );
    expect(more.status).toBe(403);
  });

  test('opens its run without accounts too, and shows less than people who are signed in see', async () => {
    vi.stubEnv('CALLBOARD_ACCOUNTS', '');
    vi.stubEnv('CALLBOARD_OPEN', '1');
    const link = await makeShare(localActor, run, { hours: 24, texts: false });
    const { page, cookie } = await open(link.token);
    expect((await pageOf(page, cookie)).status).toBe(200);
    expect(await (await readBelow(page, cookie, [])).text()).not.toContain(word);
    expect((await readBelow(page, '', [])).status).toBe(401);
    vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
    vi.stubEnv('CALLBOARD_OPEN', '');
  });
});

describe('the end of a link', () => {
  test('a revoked or expired link only says that, and an unknown one is not found', async () => {
    const gone: string[] = [];
    for (const end of ['revoked', 'expired'] as const) {
      const link = await makeShare(ann, run, { hours: 24, texts: true });
      const { page, cookie } = await open(link.token);
      if (end === 'revoked') await revokeShare(ann, run, link.id);
      else
        await store.prisma.shareLink.update({ where: { id: link.id }, data: { expiresAt: new Date(Date.now() - 1) } });
      const again = (await open(link.token)).response;
      const shown = await pageOf(page, cookie);
      const texts = [await again.text(), await shown.text()].map((text) => text.replaceAll(/nonce(-|=")\w+/g, ''));
      expect([again.status, shown.status]).toEqual([410, 410]);
      expect(texts[0]).toBe(texts[1]);
      expect(texts[0]).not.toMatch(/planted|ann@share|Test/);
      gone.push(texts[0] ?? '');
      expect((await readBelow(page, cookie, ['timeline'])).status).toBe(401);
    }
    expect(gone[0]).toBe(gone[1]);
    const real = (await makeShare(ann, run, { hours: 1, texts: false })).token;
    for (const text of [
      'none',
      'run',
      `${real.slice(0, -1)}${real.endsWith('0') ? '1' : '0'}`,
      token,
      `cbs_${'0'.repeat(400)}`,
    ]) {
      expect([text, (await open(text)).response.status]).toEqual([text, 404]);
    }
  });

  test('a stream ends within ten seconds after its link', async () => {
    const link = await makeShare(ann, goesOn, { hours: 24, texts: false });
    const { page, cookie } = await open(link.token);
    const stream = await readBelow(page, cookie, ['events'], '?view=slim', 'text/event-stream');
    const reader = stream.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('retry');
    await revokeShare(ann, goesOn, link.id);
    const start = performance.now();
    for (;;) if ((await reader?.read())?.done !== false) break;
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('a link is deleted with its run', async () => {
    const other = await storedRun(store);
    const link = await makeShare(localActor, other, { hours: 24, texts: true });
    await store.prisma.run.delete({ where: { id: other } });
    expect((await open(link.token, { 'x-callboard-client': '198.51.100.2' })).response.status).toBe(404);
  });

  test('guesses from one address are limited, and only there', async () => {
    const { newShareToken } = await import('@/lib/server/accounts/token-text');
    const from = { 'x-callboard-client': '198.51.100.7' };
    const statuses = [];
    for (let i = 0; i < 32; i++) statuses.push((await open(newShareToken(), from)).response.status);
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 404));
    expect(statuses.slice(30)).toEqual([429, 429]);
    const { token: right } = await makeShare(ann, run, { hours: 1, texts: false });
    expect((await open(right)).response.status).toBe(303);
  });
});

describe('making links', () => {
  test('editors list, make and revoke links, and others are refused', async () => {
    const made = await makeRoute(
      scriptRequest(`Bearer ${token}`, {
        method: 'POST',
        body: JSON.stringify({ hours: 2, texts: true }),
        headers: { 'content-type': 'application/json' },
      }),
      { params: Promise.resolve({ run }) },
    );
    expect(made.status).toBe(201);
    const { id, address } = (await made.json()) as { readonly id: string; readonly address: string };
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:3000\/share\/cbs_[0-9a-z]{57}$/);
    const listed = await (
      await listRoute(scriptRequest(`Bearer ${token}`), { params: Promise.resolve({ run }) })
    ).text();
    expect(listed).toContain(id);
    expect(listed).not.toContain(address.slice(-57));
    const gone = await revokeRoute(scriptRequest(`Bearer ${token}`, { method: 'DELETE' }), {
      params: Promise.resolve({ run, share: id }),
    });
    expect(gone.status).toBe(204);
    const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });
    const runner = await personInBrowser(store, 'rob@share.example', {
      in: { [brandAs<ProjectId>(projectId)]: 'runner' },
    });
    await expect(makeShare(runner, run, { hours: 1, texts: false })).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('a link always ends, and a run has at most 50', async () => {
    for (const hours of [0, 0.5, -1, 2_161, Number.NaN]) {
      await expect(makeShare(ann, run, { hours, texts: false })).rejects.toMatchObject({ code: 'bad_request' });
    }
    const other = await storedRun(store);
    const makes = Array.from({ length: 52 }, () => makeShare(localActor, other, { hours: 1, texts: false }));
    const codes = (await Promise.allSettled(makes)).map((one) =>
      one.status === 'rejected' ? one.reason.code : 'made',
    );
    expect(codes.filter((code) => code === 'made')).toHaveLength(50);
    expect(codes.filter((code) => code === 'conflict')).toHaveLength(2);
  });
});
