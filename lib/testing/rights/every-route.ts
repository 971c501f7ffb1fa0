import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Ask, asking, headersNow } from './asking';
import type { FullProject } from './full-project';

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>;

/** Imports every handler of a route below the folder `app`, by method and address. */
export async function everyRoute(folder: string): Promise<ReadonlyMap<string, Ask>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => path.posix.basename(file) === 'route.ts');
  const found = new Map<string, Ask>();
  for (const file of files) {
    const module: Record<string, unknown> = await import(path.join(folder, file));
    for (const [name, handler] of Object.entries(module)) {
      if (/^[A-Z]+$/.test(name)) found.set(`${name} /${path.posix.dirname(file)}`, askRoute(handler as Handler));
    }
  }
  return found;
}

const codes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'not_signed_in',
  403: 'not_allowed',
  404: 'not_found',
  409: 'conflict',
  500: 'internal',
};

/** Of a stream it reads the first message. */
const askRoute =
  (handler: Handler): Ask =>
  (name, { query: queryOf, input, accept }, full, { body = bodyOf(input?.(full)), query = queryOf?.(full), ...by }) =>
    asking(by, async () => {
      const [method = '', address = ''] = name.split(' ');
      const headers = headersNow();
      if (!headers.has('content-type')) headers.set('content-type', 'application/json');
      if (accept !== undefined) headers.set('accept', accept);
      if (address.startsWith('/v1/')) headers.set('callboard-project', full.project.replace(/[^\w-]/g, '?'));
      const plain = address.replaceAll(/[[\]]/g, '');
      const request = new Request(`http://127.0.0.1:3000${plain}${query ?? ''}`, {
        ...{ method, headers },
        ...(body !== undefined && { body }),
      });
      const response = await handler(request, { params: Promise.resolve(paramsOf(name, full)) });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      const text = isStream ? await firstMessage(response) : await response.text();
      return { code: response.status < 400 ? 'ok' : (codes[response.status] ?? 'other'), text, response };
    });

function bodyOf(input: unknown): string | undefined {
  return input === undefined ? undefined : JSON.stringify(input);
}

/** Returns the parameters of the address of a route for a project. */
export function paramsOf(name: string, full: FullProject): Readonly<Record<string, string>> {
  const [, address = ''] = name.split(' ');
  const names = [...address.matchAll(/\[(\w+)\]/g)].map(([, part = '']) => part);
  return Object.fromEntries(names.map((part) => [part, String(paramOf(part, address, full))]));
}

function paramOf(name: string, address: string, full: FullProject): unknown {
  switch (name) {
    case 'run':
      return address.endsWith('/stop') ? full.asking : full.run;
    case 'number':
      return full.revision;
    case 'name':
      if (address.endsWith('/test')) return 'OPENAI_API_KEY';
      return address.includes('/policy/') ? full.rule : full.secret;
    case 'seq':
      if (address.includes('/model-calls/')) return full.modelCall;
      return address.includes('/calls/') ? full.toolCall : 1;
    case 'sample':
      return 'pmo';
    default:
      return Reflect.get(full, name);
  }
}

const longestWaitMs = 5_000;

/** Reads a stream until its first message has come whole. Comments are no messages. */
async function firstMessage(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  const late = AbortSignal.timeout(longestWaitMs);
  const isLate = new Promise<'late'>((resolve) => late.addEventListener('abort', () => resolve('late')));
  let text = '';
  try {
    while (!/^data:[\s\S]*?\n\n/m.test(text)) {
      const read = await Promise.race([reader.read(), isLate]);
      if (read === 'late') throw new Error(`The stream sent no message. It began with '${text}'`);
      if (read.done) break;
      text += decoder.decode(read.value, { stream: true });
    }
  } finally {
    await reader.cancel();
  }
  return text;
}
