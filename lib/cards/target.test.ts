import { expect, test } from 'vitest';
import { parseTarget, targetName } from './target';

test.each([
  ['https://host/mcp', { transport: 'http', url: 'https://host/mcp' }, 'host'],
  ['https://host', { transport: 'http', url: 'https://host/mcp' }, 'host'],
  ['https://host/api/?key=1', { transport: 'http', url: 'https://host/api/?key=1' }, 'host'],
  ['http://a.b:80/sse', { transport: 'sse', url: 'http://a.b:80/sse' }, 'a_b'],
  ['@scope/pkg@1 --x', { transport: 'stdio', command: 'npx', args: ['@scope/pkg@1', '--x'] }, 'pkg'],
  ['npx -y pkg', { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'] }, 'pkg'],
  ['uvx mcp-time', { transport: 'stdio', command: 'uvx', args: ['mcp-time'] }, 'mcp-time'],
  [
    `python "my server.py" 'a b' c\\ d ""`,
    { transport: 'stdio', command: 'python', args: ['my server.py', 'a b', 'c d', ''] },
    'python',
  ],
])('%s', (text, target, name) => {
  const parsed = parseTarget(text);
  expect(parsed).toEqual({ ok: true, value: target });
  if (parsed.ok) expect(targetName(parsed.value)).toBe(name);
});

test.each(['', '  ', 'http://', "run 'open", 'https://host extra', 'npx', '@ x'])('refuses %j', (text) =>
  expect(parseTarget(text).ok).toBe(false),
);
