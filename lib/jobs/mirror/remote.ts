import { flushLine, joined } from '@/lib/interop/git/pkt-line';
import {
  type PushReport,
  type RemoteRefs,
  readAdvertisement,
  readReport,
  writeChanges,
} from '@/lib/interop/git/push-client';
import type { RefChange } from '@/lib/interop/git/push-request';
import type { GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';

/** A git repository at an address over smart HTTP, in version 0 of the protocol. */
export interface Remote {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** A remote did not do what it was asked for. People see the message, which has no token. */
export class RemoteProblem extends Error {
  constructor(
    message: string,
    /** True if the same request may go well later. */
    readonly isPassing: boolean,
  ) {
    super(message);
    this.name = 'RemoteProblem';
  }
}

const mostRefBytes = 16 * 1024 * 1024;
const mostReportBytes = 4 * 1024 * 1024;
const service = 'git-receive-pack';

/** Reads the branches and tags of a remote. Throws RemoteProblem. */
export async function readRemote({ fetch }: Pick<GuardedFetch, 'fetch'>, remote: Remote): Promise<RemoteRefs> {
  const response = await ask(fetch, remote, `/info/refs?service=${service}`, { method: 'GET' });
  if (response.headers.get('content-type') !== `application/x-${service}-advertisement`) {
    await response.body?.cancel();
    throw new RemoteProblem(
      'No git repository answers at this address. Set the address that git clone takes over HTTPS.',
      false,
    );
  }
  const bytes = await bodyOf(response, mostRefBytes, remote);
  const refs = understood(() => readAdvertisement(bytes));
  if (refs.abilities.has('object-format=sha256')) {
    throw new RemoteProblem(
      'The repository there uses SHA-256. Make one with SHA-1, which git does by default.',
      false,
    );
  }
  if (!refs.abilities.has('report-status')) {
    throw new RemoteProblem('The server there does not tell what became of a push. Use another one.', false);
  }
  return refs;
}

/** Pushes changes with the pack that they need. Throws RemoteProblem. */
export async function sendPush(
  { fetch }: Pick<GuardedFetch, 'fetch'>,
  remote: Remote,
  push: { readonly changes: readonly RefChange[]; readonly pack: Uint8Array; readonly refs: RemoteRefs },
): Promise<PushReport> {
  const response = await ask(fetch, remote, `/${service}`, {
    method: 'POST',
    headers: { 'content-type': `application/x-${service}-request`, accept: `application/x-${service}-result` },
    body: Buffer.from(joined([writeChanges(push.changes, push.refs), push.pack])),
  });
  const bytes = await bodyOf(response, mostReportBytes, remote);
  return understood(() => readReport(bytes.length === 0 ? flushLine : bytes, push.refs));
}

async function ask(
  fetch: GuardedFetch['fetch'],
  { url, user, token, signal }: Remote,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`);
  headers.set('user-agent', 'git/2.0 (Callboard)');
  let response: Response;
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}${path}`, { ...init, headers, signal });
  } catch (error) {
    throw notReached(error, signal);
  }
  if (response.status === 200) return response;
  await response.body?.cancel();
  throw answered(response.status);
}

function answered(status: number): RemoteProblem {
  if (status === 401) {
    return new RemoteProblem('The remote did not take the user name and the token. Set the secret anew.', false);
  }
  if (status === 403) {
    return new RemoteProblem('The token may not push there. Give it the right to write to the repository.', false);
  }
  if (status === 404) {
    return new RemoteProblem(
      'There is no repository at this address, or the token may not see it. Make an empty one there, or correct the address.',
      false,
    );
  }
  if (status === 413) {
    return new RemoteProblem(
      'The push is too large for the remote. Push once by hand: clone from Callboard, then push there.',
      false,
    );
  }
  if (status >= 300 && status < 400) {
    return new RemoteProblem(
      `The remote answered ${status}, a redirect, which is not followed. Set its new address.`,
      false,
    );
  }
  return new RemoteProblem(`The remote answered ${status}.`, status >= 500 || status === 408 || status === 429);
}

async function bodyOf(response: Response, most: number, { signal }: Remote): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      signal.throwIfAborted();
      size += part.length;
      if (size > most) throw new RemoteProblem('The remote answers with too much. Is it a git repository?', false);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof RemoteProblem ? error : notReached(error, signal);
  }
  return joined(parts);
}

function understood<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new RemoteProblem('The remote answered something that is not of git, or was cut off.', true);
  }
}

/** Node's message of a refused connection names its host and port only. */
function notReached(error: unknown, signal: AbortSignal): RemoteProblem {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = signal.aborted ? 'it took too long' : cause instanceof Error ? cause.message : String(cause);
  return new RemoteProblem(`The remote was not reached: ${reason}`, true);
}
