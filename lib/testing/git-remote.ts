import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A git server over HTTP for one bare repository: the real `git http-backend`, behind a password. */
export interface GitRemote {
  readonly url: string;
  /** The folder of the bare repository. */
  readonly folder: string;
  /** The requests that came, as method and address. */
  readonly requests: string[];
  /** If set, it answers in place of git. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** If set, a push waits for it. */
  hold: Promise<void> | undefined;
  close(): Promise<void>;
}

/** Starts a server with an empty repository. `password` is what a client must send, with any name. */
export async function gitRemote(password: string): Promise<GitRemote> {
  const root = mkdtempSync(path.join(tmpdir(), 'callboard-git-remote-'));
  await git(root, 'init', '-q', '--bare', '-b', 'main', 'mirror.git');
  await git(path.join(root, 'mirror.git'), 'config', 'http.receivepack', 'true');
  const server = createServer((request, response) => {
    remote.requests.push(`${request.method} ${request.url}`);
    if (remote.answer !== undefined) return remote.answer(request, response);
    const given = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    if (!given.endsWith(`:${password}`)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no');
      return;
    }
    const { hold } = remote;
    if (request.method === 'POST' && hold !== undefined) void hold.then(() => serve(root, request, response));
    else serve(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const remote: GitRemote = {
    url: `http://127.0.0.1:${port}/mirror.git`,
    folder: path.join(root, 'mirror.git'),
    requests: [],
    answer: undefined,
    hold: undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
  return remote;
}

function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', 'http://x');
  const child = spawn('git', ['http-backend'], {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      HOME: root,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'somebody',
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
    },
  });
  const out: Buffer[] = [];
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (part: Buffer) => out.push(part));
  child.on('close', () => {
    const bytes = Buffer.concat(out);
    const end = bytes.indexOf('\r\n\r\n');
    const headers = bytes.subarray(0, end).toString().split('\r\n');
    const fields = new Map(headers.map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]));
    const status = Number.parseInt(fields.get('Status') ?? '200', 10);
    fields.delete('Status');
    response.writeHead(status, Object.fromEntries(fields)).end(bytes.subarray(end + 4));
  });
  request.pipe(child.stdin);
}

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn('git', args, { cwd: folder, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`git ${args.join(' ')} failed`))));
  });
}
