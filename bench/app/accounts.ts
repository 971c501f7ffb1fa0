import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '@/lib/server/accounts/password-hash';
import { openStore } from '@/lib/store/database';
import { insertPerson } from '@/lib/store/people';
import { transaction } from '@/lib/store/transaction';
import { startFakeServer } from '../fake-server';
import { quantile } from '../figures';
import { spread, timeOf } from './client';
import { type BenchServer, startBenchServer } from './server';

const email = 'ada@bench.example';
const password = 'three lamps and a river';
const warmUps = 100;
const rounds = 1_000;
const phaseMs = 60_000;
const refusedAMinute = 500;

/** Measures what accounts cost a request, and what refused sign-ins cost the requests of others. */
export async function benchAccounts(): Promise<void> {
  const model = await startFakeServer({ children: 0, toolCalls: 0, delayMs: 0 });
  const alone = await startBenchServer({ workers: 1, modelUrl: model.url });
  let team: BenchServer | undefined;
  try {
    team = await startBenchServer({ workers: 1, modelUrl: model.url, env: { CALLBOARD_ACCOUNTS: '1' } });
    await makeAdministrator(team);
    const signedIn = { ...team, headers: { cookie: await signIn(team) } };
    await measureCheck(alone, signedIn);
    await measureRefusals(signedIn);
  } finally {
    await team?.stop();
    await alone.stop();
    model.stop();
  }
}

async function makeAdministrator({ databaseUrl }: BenchServer): Promise<void> {
  const store = openStore(databaseUrl);
  try {
    const passwordHash = await hashPassword(password);
    const person = { id: randomUUID(), name: 'Ada', email, passwordHash, isAdministrator: true };
    await transaction(store, (connection) => insertPerson(connection, person));
  } finally {
    await store.close();
  }
}

/** Both servers are asked in turn, so that other work on the machine slows both alike. */
async function measureCheck(alone: BenchServer, team: BenchServer): Promise<void> {
  for (const address of ['/api/v1/projects', '/runs'] as const) {
    const [without, withSession]: [number[], number[]] = [[], []];
    for (let round = -warmUps; round < rounds; round += 1) {
      const [one, other] = [await timeOf(alone, address), await timeOf(team, address)];
      if (round < 0) continue;
      without.push(one);
      withSession.push(other);
    }
    const apart = (part: number) => (quantile(withSession, part) - quantile(without, part)).toFixed(2);
    console.log(`  ${address.padEnd(18)} without accounts ${exact(without)}; with a session ${exact(withSession)}`);
    console.log(`  ${''.padEnd(18)} the session costs p50 ${apart(0.5)} ms, p95 ${apart(0.95)} ms (goal ≤ 5 ms)`);
  }
}

function exact(valuesMs: readonly number[]): string {
  return `p50 ${quantile(valuesMs, 0.5).toFixed(2)} ms, p95 ${quantile(valuesMs, 0.95).toFixed(2)} ms`;
}

/** A person opens a page again and again, first in peace, then while somebody guesses passwords of many accounts. */
async function measureRefusals(team: BenchServer): Promise<void> {
  const calm = await pagesFor(team);
  let refused = 0;
  let isOver = false;
  const guessing = (async () => {
    const open: Promise<void>[] = [];
    for (let guess = 0; !isOver; guess += 1) {
      open.push(
        postSignIn(team, `person${guess}@bench.example`, 'not the password').then(({ status }) => {
          if (status === 401 || status === 429) refused += 1;
        }),
      );
      await sleep(60_000 / refusedAMinute);
    }
    await Promise.all(open);
  })();
  const busy = await pagesFor(team);
  isOver = true;
  await guessing;
  console.log(`  page /runs for a minute          ${spread(calm)} (${calm.length} pages)`);
  console.log(`  and ${refused} refused sign-ins       ${spread(busy)} (${busy.length} pages)`);
}

async function pagesFor(team: BenchServer): Promise<readonly number[]> {
  const times: number[] = [];
  for (const end = performance.now() + phaseMs; performance.now() < end; await sleep(50)) {
    times.push(await timeOf(team, '/runs'));
  }
  return times;
}

async function signIn(team: BenchServer): Promise<string> {
  const answer = await postSignIn(team, email, password);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  if (answer.status !== 303 || cookies.length === 0) throw new Error(`The sign-in was answered ${answer.status}`);
  return cookies.join('; ');
}

async function postSignIn({ url }: BenchServer, who: string, secret: string): Promise<Response> {
  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ email: who, password: secret, to: '/' }),
  });
  await answer.arrayBuffer();
  return answer;
}
