import { isActive } from '@/lib/trace/run-state';
import { bearer } from './app';
import { until } from './until';

export interface StoredEvent {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly step?: string;
  readonly message?: { readonly content: readonly { readonly text?: string }[] };
  readonly result?: { readonly content: readonly { readonly text?: string }[] };
  readonly source?: string;
  readonly text: string;
}

export interface StoredRun {
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Creates a project. It asks again while the answer is 503 or nobody answers, because then the request was not
 * acknowledged.
 */
export async function createProject(url: string, files: Record<string, string>): Promise<string> {
  const { id } = (await post(`${url}/api/v1/projects`, { name: 'Faults', files })) as { id: string };
  return id;
}

export async function startRun(url: string, project: string, message: string): Promise<string> {
  const { runId } = (await post(`${url}/api/v1/projects/${project}/runs`, { message })) as { runId: string };
  return runId;
}

export async function readRun(url: string, run: string): Promise<StoredRun | undefined> {
  return (await get(`${url}/api/v1/runs/${run}`)) as StoredRun | undefined;
}

export async function waitForEnd(url: string, run: string, patienceMs = 180_000): Promise<StoredRun> {
  let found: StoredRun | undefined;
  await until(`run ${run} ends`, patienceMs, async () => {
    found = await readRun(url, run);
    return found !== undefined && !isActive(found.status);
  });
  return found ?? { status: 'unknown' };
}

/** Reads the whole log. */
export async function readLog(url: string, run: string): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const page = (await get(`${url}/api/v1/runs/${run}/events?after=${all.length}&limit=1000`)) as
      | StoredEvent[]
      | undefined;
    if (page === undefined) throw new Error(`The log of run ${run} cannot be read`);
    if (page.length === 0) return all;
    all.push(...page.map((event) => ({ ...event, text: JSON.stringify(event) })));
  }
}

async function get(address: string): Promise<unknown> {
  const answer = await fetch(address, { headers: bearer, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer?.ok !== true) return undefined;
  return await answer.json();
}

async function post(address: string, body: unknown): Promise<unknown> {
  let result: unknown;
  await until(`${address} takes a request`, 60_000, async () => {
    const headers = { ...bearer, 'content-type': 'application/json' };
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
    if (answer === undefined || answer.status === 503) return false;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${text}`);
    result = JSON.parse(text);
    return true;
  });
  return result;
}
