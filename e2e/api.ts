import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { signedIn } from './test-token';

/** These functions call the HTTP API as a user's script would. */

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

/** Reads names and texts of all saved files. Files that are not text are left out. */
export async function readFiles(url: string, project: string): Promise<Record<string, string>> {
  return (await readVersion(url, project)).files;
}

/** Saves exactly these files. Nothing is saved when the folder has them already. */
export async function writeFiles(url: string, project: string, files: Record<string, string>): Promise<void> {
  const { version, files: now } = await readVersion(url, project);
  const paths = [...new Set([...Object.keys(now), ...Object.keys(files)])];
  const changes = paths
    .filter((path) => now[path] !== files[path])
    .map((path) => ({ path, text: files[path] ?? null }));
  if (changes.length > 0) {
    await send(`${url}/api/v1/projects/${project}/files`, { baseVersion: version, changes }, 'PATCH');
  }
}

/** Makes a draft live. */
export async function publishDraft(url: string, project: string, draft = 'main'): Promise<void> {
  await send(`${url}/api/v1/projects/${project}/releases`, { draft });
}

/** Lists the ids of all projects, newest change first. */
export async function listProjects(url: string): Promise<string[]> {
  const page = z.looseObject({ projects: z.array(z.looseObject({ id: z.string() })), next: z.string().nullable() });
  const ids: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const found = page.parse(
      await get(`${url}/api/v1/projects${after === '' ? '' : `?after=${encodeURIComponent(after)}`}`),
    );
    ids.push(...found.projects.map((project) => project.id));
    after = found.next;
  }
  return ids;
}

/** Deletes a project and ends its runs. A project that is gone already is no error. */
export async function deleteProject(url: string, project: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/projects/${project}`, { method: 'DELETE', headers: signedIn });
  if (!answer.ok && answer.status !== 404) throw new Error(`${project} is not deleted: ${await answer.text()}`);
}

/** Starts a run of what is live, or of what `of` names. */
export async function startRun(
  url: string,
  project: string,
  message: string,
  of: { readonly label?: string } = {},
): Promise<string> {
  const answer = await send(`${url}/api/v1/projects/${project}/runs`, { message, ...of });
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

/** Answers the questions of a run one after another, each as soon as it is asked. `answer` gives a text. */
export async function answerWhatIsAsked(
  url: string,
  run: string,
  answers: readonly ('approve' | 'answer')[],
): Promise<void> {
  const page = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });
  const open = async () => page.parse(await get(`${url}/api/v1/pending?run=${run}`)).items;
  for (const decision of answers) {
    await expect.poll(async () => (await open()).length).toBeGreaterThan(0);
    const [item] = await open();
    const body = decision === 'answer' ? { decision, content: { answer: 'Q3' } } : { decision };
    await send(`${url}/api/v1/pending/${item?.id}/answer`, body);
  }
}

export async function waitForEnd(url: string, run: string, patienceMs = 30_000): Promise<string> {
  const status = () =>
    readRun(url, run).then(
      (found) => found.status,
      () => 'unreachable',
    );
  await expect.poll(status, { timeout: patienceMs, intervals: [250] }).toMatch(/completed|failed|cancelled/);
  return status();
}

async function readVersion(url: string, project: string) {
  const { version, files } = z
    .looseObject({ version: z.number(), files: z.record(z.string(), z.unknown()) })
    .parse(await get(`${url}/api/v1/projects/${project}/files`));
  const texts = Object.entries(files).filter((file): file is [string, string] => typeof file[1] === 'string');
  return { version, files: Object.fromEntries(texts) };
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

async function send(url: string, body: unknown, method = 'POST'): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...signedIn },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
