import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { signedIn } from './test-token';

/** The HTTP API as a script of a user's would call it. */

const event = z.looseObject({
  seq: z.number(),
  at: z.number(),
  kind: z.string(),
  path: z.string().optional(),
  step: z.string().optional(),
  attempt: z.number().optional(),
});
export type ApiEvent = z.infer<typeof event>;

const runDetail = z.looseObject({
  status: z.string(),
  answer: z.string().nullish(),
  usage: z.looseObject({}).nullish(),
});

export function exampleFiles(name: string): Record<string, string> {
  const root = path.join('examples', name);
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files[path.relative(root, file)] = readFileSync(file, 'utf8');
  }
  return files;
}

export async function createProject(url: string, name: string, files: Record<string, string>): Promise<string> {
  const answer = await send(`${url}/api/v1/projects`, { name, files });
  return z.looseObject({ id: z.string() }).parse(answer).id;
}

export async function startRun(url: string, project: string, message: string): Promise<string> {
  const answer = await send(`${url}/api/v1/projects/${project}/runs`, { message });
  return z.object({ runId: z.string() }).parse(answer).runId;
}

export async function readEvents(url: string, run: string): Promise<ApiEvent[]> {
  const all: ApiEvent[] = [];
  for (;;) {
    const page = eventsOf(await get(`${url}/api/v1/runs/${run}/events?after=${all.length}`));
    if (page.length === 0) return all;
    all.push(...page);
  }
}

export async function readRun(url: string, run: string) {
  return runDetail.parse(await get(`${url}/api/v1/runs/${run}`));
}

export async function waitForEnd(url: string, run: string): Promise<string> {
  const status = () =>
    readRun(url, run).then(
      (found) => found.status,
      () => 'unreachable',
    );
  await expect.poll(status, { timeout: 90_000, intervals: [250] }).toMatch(/completed|failed|cancelled/);
  return status();
}

function eventsOf(answer: unknown): ApiEvent[] {
  return z
    .union([z.array(event), z.looseObject({ events: z.array(event) }).transform((found) => found.events)])
    .parse(answer);
}

async function get(url: string): Promise<unknown> {
  const answer = await fetch(url, { headers: signedIn });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function send(url: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedIn },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
