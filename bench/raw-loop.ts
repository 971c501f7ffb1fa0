import http from 'node:http';

/**
 * Runs the reference: the same requests over bare node:http with keep-alive connections. It reads every byte and parses the
 * stream's JSON, and does nothing else: no history beyond the sent messages, no events, no limits. By default `callTool`
 * does nothing.
 */
export async function rawRound(
  url: string,
  children: number,
  toolCalls: number,
  callTool?: () => Promise<string>,
): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1_024, scheduling: 'lifo' });
  const target = new URL(`${url}/chat/completions`);
  let calls = 0;

  async function chat(messages: readonly Message[], tools: readonly unknown[]): Promise<Answer> {
    calls += 1;
    return readStream(await post(target, agent, JSON.stringify({ model: 'm', stream: true, messages, tools })));
  }

  async function child(): Promise<void> {
    const messages: Message[] = [{ role: 'user', content: 'Item' }];
    for (let turn = 0; turn <= toolCalls; turn += 1) {
      const answer = await chat(messages, [leafTool]);
      messages.push(answer.message);
      for (const id of answer.callIds) {
        messages.push({ role: 'tool', tool_call_id: id, content: (await callTool?.()) ?? 'ok' });
      }
    }
  }

  const asked = await chat([{ role: 'user', content: 'Go' }], [childTool]);
  await Promise.all(asked.callIds.slice(0, children).map(child));
  const results = asked.callIds.map((id) => ({ role: 'tool', tool_call_id: id, content: 'done' }));
  await chat([{ role: 'user', content: 'Go' }, asked.message, ...results], [childTool]);
  agent.destroy();
  return calls;
}

interface Message {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly unknown[];
}

interface Answer {
  readonly message: Message;
  readonly callIds: readonly string[];
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string;
      readonly tool_calls?: readonly { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
  }[];
}

const parameters = { type: 'object', properties: { message: { type: 'string' } } };
const childTool = { type: 'function', function: { name: 'agent__child', description: 'A child', parameters } };
const leafTool = { type: 'function', function: { name: 'echo', description: 'Echo', parameters } };

function post(target: URL, agent: http.Agent, body: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = http.request(target, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    request.once('response', resolve).once('error', reject).end(body);
  });
}

async function readStream(response: http.IncomingMessage): Promise<Answer> {
  response.setEncoding('utf8');
  let rest = '';
  let text = '';
  const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];
  for await (const piece of response) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const chunk: Chunk = JSON.parse(line.slice(6));
      const delta = chunk.choices?.[0]?.delta;
      text += delta?.content ?? '';
      for (const part of delta?.tool_calls ?? []) {
        const call = calls[part.index] ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
        calls[part.index] = call;
        call.id += part.id ?? '';
        call.function.name += part.function?.name ?? '';
        call.function.arguments += part.function?.arguments ?? '';
      }
    }
  }
  const message = { role: 'assistant', content: text || null, ...(calls.length > 0 && { tool_calls: calls }) };
  return { message, callIds: calls.map((call) => call.id) };
}
