import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { holdsSecret } from '../../lib/testing/find-secret';
import { gitClient } from '../../lib/testing/git-client';
import { readEvents } from '../api';
import { expect } from '../test';
import { signedIn, testToken } from '../test-token';

/** The secrets that the tests in `canary.spec.ts` plant, and functions that read whatever an app tells and look for them. */

export const secrets = {
  /** Variables of the operator that no project gets. */
  canary: 'cnry-5b8e21f0c4d7a963-unlisted',
  key: 'sk-cnry-61d0f7a2b95c4e38-of-the-operator',
  /** Secrets that people keep in Settings. */
  stored: 'strd-cnry-83b0e6d2f914-of-the-project',
  shared: 'inst-cnry-2c97fa05d8b3-of-the-installation',
  /** The password of the mail server. */
  mail: 'smtp-cnry-f40a1b68c7d9-password',
  /** A variable that projects may have. */
  listed: 'lstd-9d31c0aa47be5562-given',
} as const;

type SecretName = keyof typeof secrets;

/** Expects that a text has no secret but those that are given to whoever gets the text. The message says which, and where. */
export function expectClean(what: string, text: string, given: readonly SecretName[] = []): void {
  const found = Object.entries(secrets).flatMap(([name, secret]) => (holdsSecret(text, secret) ? [name] : []));
  expect({ what, found: found.filter((name) => !given.some((each) => each === name)) }).toEqual({ what, found: [] });
}

/** Reads everything the API tells about a run and its project, and expects no secret in it. Returns the texts by their addresses. */
export async function expectCleanRun(url: string, project: string, run: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map([['events', JSON.stringify(await readEvents(url, run))]]);
  for (const address of [
    `runs/${run}`,
    `runs/${run}/timeline`,
    `runs/${run}/graph`,
    ...['no', 'yes'].map((texts) => `runs/${run}/otlp?texts=${texts}`),
    ...['chrome', 'csv', 'events', 'html'].map((form) => `runs/${run}/export?as=${form}`),
    `runs/${run}/digests`,
    `runs/${run}/changes?to=${run}`,
    `runs/${run}/search?text=env`,
    `runs/${run}/events?view=slim`,
    'runs/export?format=csv',
    'runs/export?format=json',
    `projects/${project}/files`,
    `projects/${project}/trust`,
    `projects/${project}/servers`,
    `projects/${project}/tests`,
    `projects/${project}/conversations`,
    `secrets?project=${project}`,
    'secrets',
    'audit',
    'audit/export',
    'notices',
    'pending?status=answered',
  ]) {
    texts.set(address.replaceAll(run, 'RUN').replaceAll(project, 'PROJECT'), await read(`${url}/api/v1/${address}`));
  }
  for (const page of [`/r/${run}`, `/compare?a=${run}&b=${run}`, `/p/${project}`, '/runs', '/notices', '/inbox']) {
    texts.set(page.replaceAll(run, 'RUN').replaceAll(project, 'PROJECT'), await read(`${url}${page}`));
  }
  for (const [what, text] of await readLink(url, run)) texts.set(what, text);
  for (const [what, text] of texts) expectClean(what, text);
  await expectCleanZips(url, project);
  await expectCleanErrors(url, project);
  return texts;
}

/** Reads an address that has to answer. */
export async function read(address: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(address, { headers: signedIn, ...init });
  expect([address, answer.status]).toEqual([address, 200]);
  return Buffer.from(await answer.arrayBuffer()).toString('latin1');
}

async function expectCleanZips(url: string, project: string): Promise<void> {
  for (const query of ['format=zip', 'format=zip&for=fast-agent']) {
    const zip = await fetch(`${url}/api/v1/projects/${project}/files?${query}`, { headers: signedIn });
    for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(await zip.arrayBuffer())))) {
      expectClean(`${name} of the export`, Buffer.from(bytes).toString('latin1'));
    }
  }
}

/** Reads a run through a link with texts, which shows the most that a stranger may see. */
async function readLink(url: string, run: string): Promise<ReadonlyMap<string, string>> {
  const made = await fetch(`${url}/api/v1/runs/${run}/shares`, {
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'application/json' },
    body: JSON.stringify({ hours: 1, texts: true }),
  });
  const { address } = await made.json();
  const opened = await fetch(address, { redirect: 'manual' });
  const page = opened.headers.get('location') ?? '';
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { cookie, accept: 'text/event-stream, */*' };
  const texts = new Map<string, string>();
  for (const rest of ['', '/api', '/api/timeline', '/api/graph', '/api/events', '/api/events?view=slim']) {
    texts.set(`link${rest}`, await read(`${page}${rest}`, { headers }));
  }
  return texts;
}

/** Reads answers to requests that go wrong. */
async function expectCleanErrors(url: string, project: string): Promise<void> {
  const json = { ...signedIn, 'content-type': 'application/json' };
  const wrong: readonly [string, RequestInit][] = [
    [`projects/${project}/runs`, { method: 'POST', body: '{' }],
    [`projects/${project}/runs`, { method: 'POST', body: '{"agent": 7}' }],
    [`secrets/STORED?project=${project}`, { method: 'PUT', body: '{"value": 7}' }],
    ['secrets/OPENAI_API_KEY/test', { method: 'POST', body: '{"value": ""}' }],
    ['runs/none', {}],
  ];
  for (const [address, init] of wrong) {
    const answer = await fetch(`${url}/api/v1/${address}`, { headers: json, ...init });
    expect([address, answer.status >= 400]).toEqual([address, true]);
    expectClean(`the refusal of ${address}`, await answer.text());
  }
}

/** Clones a project, and the file that has its whole history, and expects no secret in any commit. Returns the history as text. */
export async function expectCleanHistory(url: string, project: string): Promise<string> {
  const git = gitClient();
  try {
    const { host } = new URL(url);
    const own = `http://any:${testToken}@${host}/git/${project}.git`;
    await git.ok(['clone', '-q', '--mirror', own, 'cloned']);
    const bundle = await fetch(`${url}/api/v1/projects/${project}/bundle`, { headers: signedIn });
    writeFileSync(path.join(git.folder, 'own.bundle'), Buffer.from(await bundle.arrayBuffer()));
    await git.ok(['clone', '-q', '--mirror', 'own.bundle', 'bundled']);
    const histories: string[] = [];
    for (const folder of ['cloned', 'bundled']) {
      const history = await git.ok(['log', '--all', '-p', '--text', '--format=fuller'], { in: folder });
      expectClean(`git log, ${folder}`, history);
      histories.push(history);
    }
    return histories.join('\n');
  } finally {
    git.remove();
  }
}
