import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Decided } from './decisions';
import type { FullProject } from './full-project';

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>;

/** Imports every handler of the HTTP API below the folder `app`, by method and address. */
export async function everyRoute(folder: string): Promise<ReadonlyMap<string, Handler>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => path.posix.basename(file) === 'route.ts' && !file.startsWith('api/[...rest]'))
    // It hands what a share page reads to routes that are tried too.
    .filter((file) => !file.startsWith('share/run/'));
  const found = new Map<string, Handler>();
  for (const file of files) {
    const module: Record<string, unknown> = await import(path.join(folder, file));
    for (const [name, handler] of Object.entries(module)) {
      if (/^[A-Z]+$/.test(name)) found.set(`${name} /${path.posix.dirname(file)}`, handler as Handler);
    }
  }
  return found;
}

export interface Asked {
  readonly status: number;
  readonly body: string;
}

/** Asks a route about the parts of a project. Of a stream it reads the first message. */
export async function askRoute(
  routes: ReadonlyMap<string, Handler>,
  name: string,
  decided: Decided,
  full: FullProject,
): Promise<Asked> {
  const [method = '', address = ''] = name.split(' ');
  const input = decided.input?.(full);
  const request = new Request(`http://127.0.0.1:3000${address}${decided.query?.(full) ?? ''}`, {
    method,
    headers: {
      Host: '127.0.0.1:3000',
      'Content-Type': 'application/json',
      ...(decided.accept && { Accept: decided.accept }),
      ...(address === '/v1/traces' && { 'Callboard-Project': full.project }),
    },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  });
  const response = await routes.get(routeOf(name))?.(request, { params: Promise.resolve(paramsOf(address, full)) });
  if (response === undefined) throw new Error(`${name} has no handler`);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return { status: response.status, body: isStream ? await firstMessage(response) : await response.text() };
}

/** A row may be another way to ask a route, which follows its address after a space. */
export function routeOf(name: string): string {
  return name.split(' ', 2).join(' ');
}

/** Returns the parameters of an address for a project. */
function paramsOf(address: string, full: FullProject): Readonly<Record<string, string>> {
  const names = [...address.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, String(paramOf(name, address, full))]));
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

/** Returns the parts of a project that a request has in its address or its body, or an action in its input. */
export function partsOfRequest(name: string, { query, input }: Decided, full: FullProject): ReadonlySet<string> {
  const parts = new Set<string>();
  const get = (target: FullProject, key: string | symbol): unknown => {
    parts.add(String(key));
    return Reflect.get(target, key);
  };
  const noted = new Proxy(full, { get });
  const [, address = ''] = name.split(' ');
  paramsOf(address, noted);
  query?.(noted);
  input?.(noted);
  return parts;
}
