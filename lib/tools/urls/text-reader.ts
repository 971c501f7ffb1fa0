import { textAddressProblem } from '@/lib/base/called-address';
import { err, ok, type Result } from '@/lib/base/result';
import type { UrlPort } from '@/lib/runtime/ports';
import { AddressRefused, createAddressGuard, isThisMachine } from '@/lib/tools/mcp/address-guard';
import { createGuardedFetch, type GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';
import type { OwnAddress } from '@/lib/tools/mcp/own-addresses';

export interface TextReaderInput {
  /** Goes to `createAddressGuard`. */
  readonly allowPrivateUrls: string | undefined;
  /** Addresses that are never read, even if an operator allows them. */
  readonly own?: readonly OwnAddress[] | undefined;
  /** The time limit of one text, including redirects; 10 seconds by default. */
  readonly timeoutMs?: number;
  /** The most bytes of one text; 256 KiB by default. */
  readonly maxBytes?: number;
}

export interface TextReader extends UrlPort {
  /** Closes idle connections. */
  close(): void;
}

const maxRedirects = 5;

/**
 * Reads texts at http and https URLs, for `{{url:…}}`. The guard checks every address before and while connecting, including
 * those of redirects. A URL on another machine cannot lead to this machine, by a redirect or in its text, unless an operator
 * allows private addresses.
 */
export function createTextReader(input: TextReaderInput): TextReader {
  const { timeoutMs = 10_000, maxBytes = 256 * 1024, allowPrivateUrls, own } = input;
  const near = createGuardedFetch(createAddressGuard(allowPrivateUrls, { own }));
  const far = createGuardedFetch(createAddressGuard(allowPrivateUrls, { loopback: 'private', own }));
  const fetchFrom = (from: string | undefined): GuardedFetch =>
    from === undefined || isThisMachine(new URL(from).hostname) ? near : far;

  async function read(address: string, namedBy: string | undefined, signal: AbortSignal): Promise<string> {
    let url = addressOf(address, undefined);
    let from = namedBy;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await fetchFrom(from).fetch(url, { signal, headers: { accept: 'text/*, */*;q=0.5' } });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return await textOf(response, maxBytes);
      await response.body?.cancel();
      from = fetchFrom(from) === far ? from : url.href;
      url = addressOf(location, url);
    }
    throw new Unreadable(`it redirects more than ${maxRedirects} times`);
  }

  return {
    async read(address, { signal, namedBy }): Promise<Result<string, string>> {
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        return ok(await read(address, namedBy, AbortSignal.any([signal, deadline])));
      } catch (error) {
        if (signal.aborted) return err('it was stopped');
        return err(deadline.aborted ? `it did not answer within ${timeoutMs / 1_000} s` : reasonOf(error));
      }
    },
    close() {
      near.close();
      far.close();
    },
  };
}

class Unreadable extends Error {}

function addressOf(text: string, base: URL | undefined): URL {
  const problem = textAddressProblem(text, base);
  if (problem !== undefined) throw new Unreadable(problem);
  return new URL(text, base);
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new Unreadable(`the server answered ${response.status}`);
  }
  const tooLong = () => new Unreadable(`it has more than ${maxBytes} bytes`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop, also by an exception, cancels the stream.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Unreadable('it is not UTF-8 text');
  }
}

/** Returns the reason, as the end of a sentence. Node's message on a rejected connection names the host only. */
function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof AddressRefused) return cause.message.replace(/\.$/, '');
  return cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
}
