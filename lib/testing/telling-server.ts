/**
 * A server in one file and without packages, which speaks over stdio or, if `PORT` is set, over HTTP. Its tools: `say` returns its
 * argument `text`, also as structured content; `fail` returns an error; `token` returns the variable `TOKEN` and prints it; `picture`
 * returns a picture; `much` returns `chars` characters; `hang` never answers.
 */
export const tellingServer = `import { createServer } from 'node:http';
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value) => [{ type: 'text', text: String(value) }];
const strings = (...names) => ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names });
const tools = {
  say: [strings('text'), ({ text: said }) => ({ content: text(said), structuredContent: { said } })],
  fail: [{ type: 'object' }, () => ({ content: text('no such city'), isError: true })],
  token: [{ type: 'object' }, () => {
    console.error('the token is ' + process.env.TOKEN);
    return { content: text('It is ' + process.env.TOKEN + '.'), structuredContent: { token: process.env.TOKEN } };
  }],
  picture: [{ type: 'object' }, () => ({ content: [{ type: 'image', data: pixel, mimeType: 'image/png' }] })],
  much: [{ type: 'object', properties: { chars: { type: 'number' } } }, ({ chars }) => ({ content: text('x'.repeat(chars)) })],
  hang: [{ type: 'object' }, () => new Promise(() => {})],
};
async function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  const result = (value) => ({ jsonrpc: '2.0', id, result: value });
  if (method === 'initialize') {
    return result({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'telling', version: '1' } });
  }
  if (method === 'tools/list') {
    return result({ tools: Object.entries(tools).map(([name, [inputSchema]]) => ({ name, inputSchema })) });
  }
  if (method === 'tools/call') return result(await tools[params.name][1](params.arguments ?? {}));
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}
if (process.env.PORT === undefined) {
  let rest = '';
  process.stdin.on('data', async (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const line of lines) answer(JSON.parse(line)).then((back) => back && process.stdout.write(JSON.stringify(back) + '\\n'));
  });
  process.stdin.on('end', () => process.exit());
} else {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const part of request) body += part;
    const back = await answer(JSON.parse(body));
    if (back === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(back));
  });
  server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/mcp'));
}
`;
