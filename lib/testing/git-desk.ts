import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { release } from '@/lib/server/revisions';
import { findProject, insertProject, readDraft, saveDraft } from '@/lib/store/projects';
import { type GitClient, gitClient } from './git-client';
import { localActor } from './local-actor';
import { testDatabase } from './postgres';

type Handler = (request: Request, context: { params: Promise<{ project: string }> }) => Promise<Response>;

/** The limits of a project of the desk. */
export const limits = { files: 100, totalBytes: 1_000_000 };

/** The card of the desk's only agent, `agent-cards/lead.md`. */
export const lead = (text: string) => `---\nname: lead\nmodel: passthrough\n---\n${text}\n`;

/** Where git runs in the clone. */
export const inside = { in: 'own' };

/**
 * The real git client over HTTP, against handlers of the app. A key of `handlers` is what stands behind `/git/<project>/`. Call it at the top of a
 * file. Each test has a folder of its own, in which `cloned` makes the clone `own`.
 */
export async function gitDesk(handlers: Readonly<Record<string, Handler>>) {
  const { url, store } = await testDatabase();
  const originOf = serve(handlers, url);
  const git = clientOfTest();
  const fileAt = (at: string) => path.join(git.folder, 'own', at);
  const addressOf = (id: ProjectId) => `${originOf()}/git/${id}.git`;

  const newProject = async () =>
    await insertProject(
      store,
      'Own',
      folderOf({ 'agent-cards/lead.md': lead('one'), 'fast-agent.yaml': 'default_model: passthrough\n' }),
      { origin: 'blank' },
    );
  const write = async (id: ProjectId, text: string, draft = 'main') => {
    const { version } = await findProject(store, id, draft);
    const changes = [{ path: 'agent-cards/lead.md', file: { kind: 'text', text: lead(text) } as const }];
    await saveDraft(store, id, { draft, baseVersion: version, changes, limits });
  };
  const publish = async (id: ProjectId, draft = 'main', note = 'Go') =>
    await release(localActor, id, { label: 'live', target: { draft }, note });
  return {
    store,
    git,
    originOf,
    addressOf,
    fileAt,
    newProject,
    /** Writes the card in a draft, as the editor does. */
    write,
    publish,
    /** Makes a project in which the card `one`, and then each of the texts, was published. */
    published: async (...texts: readonly string[]): Promise<ProjectId> => {
      const id = await newProject();
      await publish(id);
      for (const text of texts) {
        await write(id, text);
        await publish(id, 'main', `Say ${text}`);
      }
      return id;
    },
    cloned: async (id: ProjectId) => await git.ok(['clone', '-q', addressOf(id), 'own']),
    /** Returns the card in the clone. */
    cardOf: () => readFileSync(fileAt('agent-cards/lead.md'), 'utf8'),
    commit: async (text: string, message = text) => {
      writeFileSync(fileAt('agent-cards/lead.md'), lead(text));
      await git.ok(['commit', '-qam', message], inside);
    },
    push: async (...args: readonly string[]) => await git.run(['push', 'origin', ...args], inside),
    /** Returns the exit code of a check of the clone, and whether the check found anything. */
    fsck: async () => {
      const { code, said, out } = await git.run(['fsck', '--strict', '--full'], inside);
      return [code, /error|warning|missing|dangling/.test(said + out)];
    },
    textOfDraft: async (id: ProjectId, draft: string) => {
      const file = (await readDraft(store, id, draft)).folder.get('agent-cards/lead.md');
      return file?.kind === 'text' ? file.text : undefined;
    },
  };
}

/** Serves the handlers while the tests of the file run, and lets the app use the database. */
function serve(handlers: Readonly<Record<string, Handler>>, databaseUrl: string): () => string {
  let origin = '';
  const answer = async (request: IncomingMessage): Promise<Response> => {
    const address = new URL(request.url ?? '', origin);
    const [, project = '', rest = ''] = /^\/git\/([^/]+)\/(.+)$/.exec(address.pathname) ?? [];
    const handler = handlers[rest];
    if (handler === undefined) return new Response('none', { status: 404 });
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const hasBody = request.method === 'POST';
    return await handler(
      new Request(address, {
        method: request.method ?? 'GET',
        headers,
        ...(hasBody && { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: 'half' }),
      } as RequestInit),
      { params: Promise.resolve({ project }) },
    );
  };
  const server = createServer((request, response) => {
    void answer(request).then(async (answered) => {
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      for await (const part of answered.body ?? []) response.write(part);
      response.end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    origin = `http://127.0.0.1:${port}`;
    vi.stubEnv('DATABASE_URL', databaseUrl);
    vi.stubEnv('PORT', String(port));
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
  });
  return () => origin;
}

/** Returns the git client of the test that runs. */
function clientOfTest(): Pick<GitClient, 'folder' | 'run' | 'ok'> {
  let client: GitClient;
  beforeEach(() => {
    client = gitClient();
  });
  afterEach(() => client.remove());
  return {
    get folder() {
      return client.folder;
    },
    run: (args, options) => client.run(args, options),
    ok: (args, options) => client.ok(args, options),
  };
}
