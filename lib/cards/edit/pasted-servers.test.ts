import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPastedServers } from './pasted-servers';

/** A reference to a variable, as it is written in a config. */
const name = (variable: string) => `$\{${variable}}`;
const readAll = (value: unknown) =>
  readPastedServers(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const read = (value: unknown) => {
  const pasted = readAll(value);
  return pasted && { servers: pasted.servers, secrets: pasted.secrets };
};

describe('pasted servers', () => {
  test.each([
    ['npx -y @scope/server-time --flag "a b"', 'time', ['-y', '@scope/server-time', '--flag', 'a b'], 'npx'],
    ['uvx mcp-server-git@1.2 --repository .', 'git', ['mcp-server-git@1.2', '--repository', '.'], 'uvx'],
    ["  node './my server.mjs'  ", 'my-server', ['./my server.mjs'], 'node'],
  ])('the command line %s is split', (line, server, args, command) => {
    expect(read(line)).toEqual({ servers: { [server]: { command, args } }, secrets: [] });
  });

  test.each([
    ['Claude and Cursor', (servers: unknown) => ({ mcpServers: servers })],
    ['VS Code', (servers: unknown) => ({ inputs: [], servers })],
    ['settings of VS Code', (servers: unknown) => ({ mcp: { servers } })],
    ['the entries alone', (servers: unknown) => servers],
  ])('the form of %s', (_, around) => {
    const entries = {
      time: { command: 'npx', args: ['time'] },
      docs: { type: 'http', url: 'https://docs.example/mcp' },
    };
    expect(read(around(entries))?.servers).toEqual({
      time: { command: 'npx', args: ['time'] },
      docs: { url: 'https://docs.example/mcp' },
    });
  });

  test('one server alone, and an entry without braces', () => {
    expect(read({ url: 'https://mcp.example.com/sse', type: 'sse' })?.servers).toEqual({
      example: { url: 'https://mcp.example.com/sse', transport: 'sse' },
    });
    expect(read('"time": {"command": "npx time"},')?.servers).toEqual({ time: { command: 'npx', args: ['time'] } });
  });

  test.each([
    ['npx -y \\\n  @a/time \\\n  --flag', 'time', { command: 'npx', args: ['-y', '@a/time', '--flag'] }],
    [
      'API_KEY=hidden LEVEL=1 npx time',
      'time',
      { command: 'npx', args: ['time'], env: { API_KEY: name('API_KEY'), LEVEL: '1' } },
    ],
    ['env A=1 uvx time', 'time', { command: 'uvx', args: ['time'], env: { A: '1' } }],
    ['/usr/bin/npx time', 'time', { command: '/usr/bin/npx', args: ['time'] }],
    ['npx.cmd time', 'time', { command: 'npx.cmd', args: ['time'] }],
    ['$ npx time', 'time', { command: 'npx', args: ['time'] }],
    ['bash -c "TOKEN=hidden npx time"', 'time', { command: 'bash', args: ['-c', `TOKEN=${name('TOKEN')} npx time`] }],
    [
      'claude mcp add clock -e K=V -e TOKEN=hidden -- npx -y time --x',
      'clock',
      { command: 'npx', args: ['-y', 'time', '--x'], env: { K: 'V', TOKEN: name('TOKEN') } },
    ],
    [
      'claude mcp add --transport http clock https://a.test/x --header "X-Api-Key: hidden"',
      'clock',
      { url: 'https://a.test/x', headers: { 'X-Api-Key': name('CLOCK_X_API_KEY') } },
    ],
    ['claude mcp add -t sse -s user clock https://a.test/x', 'clock', { url: 'https://a.test/x', transport: 'sse' }],
    ['codex mcp add clock --env K=V -- npx time', 'clock', { command: 'npx', args: ['time'], env: { K: 'V' } }],
    ['codex mcp add clock --url https://a.test/mcp', 'clock', { url: 'https://a.test/mcp' }],
    ['gemini mcp add clock docker run -e A time', 'clock', { command: 'docker', args: ['run', '-e', 'A', 'time'] }],
    [
      `claude mcp add-json -s user clock '{"type":"http","url":"https://a.test/x"}'`,
      'clock',
      { url: 'https://a.test/x' },
    ],
    ['gemini mcp add clock npx -y time', 'clock', { command: 'npx', args: ['-y', 'time'] }],
    ['```json\n{"time": {"command": "npx", "args": ["time"]}}\n```', 'time', { command: 'npx', args: ['time'] }],
    ['```\nnpx time\n```', 'time', { command: 'npx', args: ['time'] }],
    [
      '{"httpUrl": "https://time.test/mcp", "timeout": 5000}',
      'time',
      { url: 'https://time.test/mcp', read_timeout_seconds: 5 },
    ],
    ['https://mcp.time.test/mcp', 'time', { url: 'https://mcp.time.test/mcp' }],
    ['http://me:hidden@time.test/v1/sse', 'time', { url: `http://me:${name('TIME_PASSWORD')}@time.test/v1/sse` }],
  ])('%s is read', (text, server, entry) => {
    expect(read(text)?.servers).toEqual({ [server]: entry });
  });

  test('what has no place here is named, and a faulty entry leaves the others', () => {
    const pasted = readAll({
      mcpServers: {
        time: {
          command: 'npx',
          args: ['time'],
          disabled: true,
          autoApprove: ['a'],
          envFile: '.env',
          alwaysAllow: [],
          oauth: {},
        },
        broken: { args: ['x'] },
        docs: { url: 'https://a.test', disabled: false },
      },
    });
    expect(Object.keys(pasted?.servers ?? {})).toEqual(['time', 'docs']);
    expect(pasted?.remarks).toEqual([
      "'time' was switched off there and is on here.",
      "Settings of 'time' without a counterpart were left out: 'autoApprove', 'envFile'.",
      "'broken' has neither a command nor an address, so it was not added.",
    ]);
  });

  test('comments and trailing commas, which are none inside texts', () => {
    const text = '{\n // mine\n "mcpServers": {"a": {"command": "npx", "args": ["//x", ",]", /* y */ "b",],},},\n}';
    expect(read(text)?.servers).toEqual({ a: { command: 'npx', args: ['//x', ',]', 'b'] } });
  });

  test('values of secrets become names of secrets', () => {
    const pasted = read({
      mcpServers: {
        git: { command: 'npx', args: ['git'], env: { GITHUB_TOKEN: 'ghp_hidden', LEVEL: 'info', A: '<your id>' } },
        web: { url: 'https://a.example/mcp', headers: { Authorization: 'Bearer hidden', 'X-Team': 'blue' } },
        code: {
          command: 'npx',
          args: [`--key=${name('input:perplexity-key')}`],
          env: { API_KEY: `${name('env:MY_KEY')}` },
        },
      },
    });
    expect(pasted).toEqual({
      servers: {
        git: {
          command: 'npx',
          args: ['git'],
          env: { GITHUB_TOKEN: `${name('GITHUB_TOKEN')}`, LEVEL: 'info', A: `${name('A')}` },
        },
        web: {
          url: 'https://a.example/mcp',
          headers: { Authorization: `Bearer ${name('WEB_AUTHORIZATION')}`, 'X-Team': 'blue' },
        },
        code: { command: 'npx', args: [`--key=${name('PERPLEXITY_KEY')}`], env: { API_KEY: `${name('MY_KEY')}` } },
      },
      secrets: ['GITHUB_TOKEN', 'A', 'WEB_AUTHORIZATION', 'PERPLEXITY_KEY'],
    });
    expect(JSON.stringify(pasted)).not.toContain('hidden');
  });

  test('secrets in arguments and addresses too', () => {
    expect(read('npx -y @a/b --api-key hidden --token=hidden --keep=this')).toEqual({
      servers: {
        b: {
          command: 'npx',
          args: ['-y', '@a/b', '--api-key', `${name('API_KEY')}`, `--token=${name('TOKEN')}`, '--keep=this'],
        },
      },
      secrets: ['API_KEY', 'TOKEN'],
    });
    expect(read('docker run -e GITHUB_TOKEN=hidden -i ghcr.io/github/github-mcp-server')).toEqual({
      servers: {
        github: {
          command: 'docker',
          args: ['run', '-e', `GITHUB_TOKEN=${name('GITHUB_TOKEN')}`, '-i', 'ghcr.io/github/github-mcp-server'],
        },
      },
      secrets: ['GITHUB_TOKEN'],
    });
    expect(read({ mcpServers: { w: { serverUrl: 'https://a.example/mcp?api_key=hidden&x=1' } } })?.servers.w).toEqual({
      url: `https://a.example/mcp?api_key=${name('API_KEY')}&x=1`,
    });
  });

  test.each([
    ['npx mcp-remote https://h.test/mcp --header "Authorization: Bearer hidden"', 'AUTHORIZATION'],
    ['npx mcp-remote "https://h.test/mcp?api_key=hidden"', 'API_KEY'],
    ['npx -y server-postgres postgresql://user:hidden@host/db', 'POSTGRES_PASSWORD'],
    ['docker run --env=GITHUB_TOKEN=hidden image', 'GITHUB_TOKEN'],
    ['{"a": {"command": "npx", "args": ["a"], "env": {"GITHUB_PAT": "hidden"}}}', 'GITHUB_PAT'],
    [
      '{"a": {"url": "https://a.test", "headers": {"Ocp-Apim-Subscription-Key": "hidden"}}}',
      'A_OCP_APIM_SUBSCRIPTION_KEY',
    ],
    ['{"a": {"url": "https://me:hidden@a.test/mcp"}}', 'A_PASSWORD'],
  ])('no secret of %s stays', (text, secret) => {
    const pasted = read(text);
    expect(pasted?.secrets).toEqual([secret]);
    expect(JSON.stringify(pasted)).not.toContain('hidden');
  });

  test.each([
    [{ OPENAPI_MCP_HEADERS: '{"Authorization":"Bearer ntn_hidden","Notion-Version":"2022"}' }, ['A_AUTHORIZATION']],
    [{ AUTH_HEADER: 'Bearer hidden' }, ['AUTH_HEADER']],
    [{ ANY: 'Bearer hidden' }, ['ANY']],
    [{ DB_PASS: 'hidden' }, ['DB_PASS']],
    [{ PGPASS: 'hidden', MY_PWD: 'hidden2' }, ['PGPASS', 'MY_PWD']],
    [{ PGPASSWORD: 'hidden' }, ['A_PGPASSWORD']],
    [{ AWS_ACCESS_KEY_ID: 'hidden', AWS_REGION: 'eu' }, ['AWS_ACCESS_KEY_ID']],
    [{ OTHER: 'ghp_hidden123' }, ['OTHER']],
    [{ DATABASE: 'Server=db;User Id=sa;Password=hidden;Encrypt=true' }, ['PASSWORD']],
    [{ DATABASE: 'postgresql://me:hid/den@x@db.test:5432/app' }, ['A_PASSWORD']],
    [{ CONFIG: '{"db":{"password":"hidden","port":5432}}' }, ['A_PASSWORD']],
    [{ KEYS: 'YOUR_API_KEY_HERE' }, ['KEYS']],
    [{ SLACK: 'xoxb-hidden-1' }, ['SLACK']],
  ])('no secret of the environment %j stays', (env, secrets) => {
    const pasted = read({ a: { command: 'npx', args: ['a'], env } });
    expect(pasted?.secrets).toEqual(secrets);
    expect(JSON.stringify(pasted)).not.toMatch(/hid|den|YOUR/);
  });

  test.each([
    ['npx -y @a/tool sk-ant-hidden', ['-y', '@a/tool', name('TOOL_TOKEN')]],
    ['npx thing ghp_hidden', ['thing', name('THING_TOKEN')]],
    ['npx thing "xoxb-hidden"', ['thing', name('THING_TOKEN')]],
    ['npx tool --api-key <YOUR_KEY>', ['tool', '--api-key', name('API_KEY')]],
    ['npx --token hidden tool', ['--token', name('TOKEN'), 'tool']],
    ['npx tool "Server=x;Password=hidden"', ['tool', `Server=x;Password=${name('PASSWORD')}`]],
    ['npx tool "Password=hidden;Server=x"', ['tool', `Password=${name('PASSWORD')};Server=x`]],
    [
      'npx tool --header "Authorization: Basic aGlkZGVuOmhpZGRlbg=="',
      ['tool', '--header', `Authorization: Basic ${name('AUTHORIZATION')}`],
    ],
    [
      'npx mcp-remote https://mcp.zapier.test/api/s/NTk3hiddenMzQtYmQ3NS00OGI4/mcp',
      ['mcp-remote', `https://mcp.zapier.test/api/s/${name('REMOTE_KEY')}/mcp`],
    ],
    ['npx tool https://a.test/mcp#token=hidden', ['tool', `https://a.test/mcp#token=${name('TOKEN')}`]],
    ['npx tool https://a.test/mcp?s=a1b2c3hidden4d5e6f7g8h9', ['tool', `https://a.test/mcp?s=${name('S')}`]],
    ['npx thing https://me:hidden@a.test/', ['thing', `https://me:${name('THING_PASSWORD')}@a.test/`]],
  ])('no secret of the arguments of %s stays', (line, args) => {
    expect(Object.values(read(line)?.servers ?? {})).toEqual([{ command: 'npx', args }]);
    expect(JSON.stringify(read(line))).not.toContain('hidden');
  });

  test.each([
    ['--sort-key=name', 'PRIMARY_KEY=id', '--auth', 'none', '--key', './k.pem', '--token-limit', '5'],
    ['--no-auth', 'server.js', '--key', 'name', '--max-tokens', '4096', '--stop-token=end', '--password=none'],
    ['http://localhost:8080/@scope/x', 'https://github.com/a/b/tree/0123456789abcdef0123456789abcdef01234567'],
    ['--user', '1000:1000', '-v', '/home/me:/data', '--certificate-key=/etc/x', 'Basic plan', '--compass=north'],
  ])('arguments that are no secrets stay: %s', (...args) => {
    expect(read({ a: { command: 'npx', args } })).toMatchObject({ servers: { a: { args } }, secrets: [] });
  });

  test('a command line in one argument keeps all but its secrets', () => {
    const args = ['-c', `TOKEN=hidden A=1 npx y --api-key 'hidden2' --header "X-Api-Key: hidden3" && z`];
    const pasted = read({ a: { command: 'bash', args } });
    expect(pasted?.servers.a?.args).toEqual([
      '-c',
      `TOKEN=${name('TOKEN')} A=1 npx y --api-key '${name('API_KEY')}' --header "X-Api-Key: ${name('X_API_KEY')}" && z`,
    ]);
  });

  test('keys of model providers, which no server gets, have a name of the server', () => {
    const env = { OPENAI_API_KEY: 'sk-hidden', ANTHROPIC_API_KEY: name('ANTHROPIC_API_KEY'), OPENAI_MODEL: 'gpt' };
    expect(read({ 'my-docs': { command: 'npx', args: ['a'], env }, openai: { command: 'b', env } })).toEqual({
      servers: {
        'my-docs': {
          command: 'npx',
          args: ['a'],
          env: {
            OPENAI_API_KEY: name('MY_DOCS_OPENAI_API_KEY'),
            ANTHROPIC_API_KEY: name('MY_DOCS_ANTHROPIC_API_KEY'),
            OPENAI_MODEL: 'gpt',
          },
        },
        openai: {
          command: 'b',
          env: {
            OPENAI_API_KEY: name('SERVER_OPENAI_OPENAI_API_KEY'),
            ANTHROPIC_API_KEY: name('SERVER_OPENAI_ANTHROPIC_API_KEY'),
            OPENAI_MODEL: 'gpt',
          },
        },
      },
      secrets: [
        'MY_DOCS_OPENAI_API_KEY',
        'MY_DOCS_ANTHROPIC_API_KEY',
        'SERVER_OPENAI_OPENAI_API_KEY',
        'SERVER_OPENAI_ANTHROPIC_API_KEY',
      ],
    });
  });

  test('two servers with different values of one name have two secrets', () => {
    const server = (key: string) => ({ command: 'npx', args: ['x'], env: { API_KEY: key } });
    expect(read({ a: server('one'), b: server('two'), c: server('one') })).toMatchObject({
      servers: {
        a: { env: { API_KEY: name('API_KEY') } },
        b: { env: { API_KEY: name('B_API_KEY') } },
        c: { env: { API_KEY: name('API_KEY') } },
      },
      secrets: ['API_KEY', 'B_API_KEY'],
    });
  });

  test('texts without an end are refused at once, however long they are', () => {
    const quote = '\\"';
    for (const text of [`{"${quote.repeat(90_000)}`, `{${'/*'.repeat(90_000)}`, `{${','.repeat(90_000)}`])
      expect(read(text)).toBeUndefined();
  });

  test.each([
    '',
    'hello',
    'npx',
    'echo a b',
    'bash install.sh',
    'npx "open',
    'npx a\nnpx b',
    'https://a.test/page',
    '{"name": "p", "repository": {"url": "https://a.test"}}',
    '{}',
    '{"a": 1}',
    '{"mcpServers": {}}',
    '{"mcpServers": {"a": {"x": 1}}}',
  ])('%j is none', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('any text is read or refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((s) => `{"mcpServers":${s}}`),
        ),
        (text) => {
          readPastedServers(text);
        },
      ),
    );
  });
});

test.each([
  [['mcp-remote', 'https://x.test/mcp', '--header', 'X-Api-Key:abc123def'], 'abc123def'],
  [['mcp-remote', 'https://x.test/mcp', '--header=X-Api-Key:abc123def'], 'abc123def'],
])('a header without a blank after its colon is hidden: %j', (args, secret) => {
  expect(JSON.stringify(read({ mcpServers: { x: { command: 'npx', args } } })?.servers)).not.toContain(secret);
});

test('a key of a kind that is mostly none is hidden if it looks random', () => {
  const env = { AZURE_SEARCH_KEY: 'Zk3v9QpL7tYx2Wd8Rb5N', PARTITION_KEY: 'customer_id', SORT_KEY: 'name' };
  const { servers, secrets } = read({ mcpServers: { x: { command: 'npx', args: [], env } } }) ?? {};
  expect(servers?.x?.env).toEqual({ ...env, AZURE_SEARCH_KEY: name('AZURE_SEARCH_KEY') });
  expect(secrets).toEqual(['AZURE_SEARCH_KEY']);
});

test('assignments before the program of a whole line are variables', () => {
  expect(read({ mcpServers: { x: { command: 'API_KEY=abc123def npx time' } } })).toEqual({
    servers: { x: { command: 'npx', args: ['time'], env: { API_KEY: name('API_KEY') } } },
    secrets: ['API_KEY'],
  });
});
