import { isIPv6 } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ensureAccessToken } from './access-token';
import type { Env } from './settings/env';

const pauseMs = 100;
const longestTries = 300;

/** The address of the app on this machine. An app that listens on all addresses is asked at loopback. */
export function appAddress({ host, port }: Pick<Env, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

/** Resolves when web and database answer. Throws an Error that names the log when they do not within half a minute. */
export async function webAnswers(env: Env, signal: AbortSignal): Promise<void> {
  await waitForAnswer(env, signal, { path: '/api/health', isAnswer: (response) => response.ok });
}

/**
 * Resolves when the web process accepts requests. Its pages may not be compiled yet, and a file is asked for, so that none is
 * compiled for this. Throws like `webAnswers`.
 */
export async function webListens(env: Env, signal: AbortSignal): Promise<void> {
  await waitForAnswer(env, signal, { path: '/logo.svg' });
}

/**
 * Asks for the first page as a signed-in reader does, so that it is compiled before a person opens it. A page that does not
 * compile is an answer too: it shows the error. Throws like `webAnswers`.
 */
export async function openFirstPage(env: Env, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${ensureAccessToken(env.dataFolder)}` };
  await waitForAnswer(env, signal, { path: '/', headers, patienceMs: 120_000 });
}

/**
 * Opens the last changed project, or an address without one, so that the web process has loaded the code of the editor when a
 * person opens it. Never throws: the app is ready without this.
 */
export async function openAnEditor(env: Env, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${ensureAccessToken(env.dataFolder)}` };
  try {
    const list = await firstAnswer(env, signal, {
      path: '/api/v1/projects?fields=name&limit=1',
      headers,
      isAnswer: (response) => response.ok || response.status === 401,
    });
    const found = projectList.safeParse(await list?.json());
    const id = found.data?.projects[0]?.id ?? 'none';
    await firstAnswer(env, signal, { path: `/p/${encodeURIComponent(id)}`, headers }).then((page) => page?.text());
  } catch {
    // The first person who opens a project waits for the code.
  }
}

const projectList = z.object({ projects: z.array(z.object({ id: z.string() })) });

interface Question {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Time that one request may take. */
  readonly patienceMs?: number;
  readonly isAnswer?: (response: Response) => boolean;
}

async function waitForAnswer(env: Env, signal: AbortSignal, question: Question): Promise<void> {
  await (await firstAnswer(env, signal, question))?.body?.cancel();
}

/** Returns the first answer, or `undefined` once the start is cancelled. */
async function firstAnswer(env: Env, signal: AbortSignal, question: Question): Promise<Response | undefined> {
  const { path: page, headers, patienceMs = 5_000, isAnswer = () => true } = question;
  for (let tries = 0; !signal.aborted; tries += 1) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const answered = await fetch(`${appAddress(env)}${page}`, { headers, signal: limit }).catch(() => undefined);
    if (answered !== undefined && isAnswer(answered)) return answered;
    await answered?.body?.cancel();
    if (tries > longestTries) throw new Error(`The web server does not answer. ${webLog(env)} may say why.`);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

function webLog(env: Env): string {
  return path.join(env.dataFolder, 'logs', 'web.log');
}
