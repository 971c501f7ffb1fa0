import { expect, it } from 'vitest';
import { commandChanges } from './command-changes';
import { commandWarnings, type FilledBy } from './command-warnings';

const warningsOf = (line: string, environment: readonly string[] = [], filledBy: readonly FilledBy[] = []) => {
  const [command = '', ...args] = line.split(' ');
  return commandWarnings({ kind: 'stdio', command, args, environment, filledBy }).join(' ');
};

it.each([
  'sh -c ls',
  'bash -lc ls',
  '/bin/bash -ec ls',
  'python3 -c 1',
  'python3.12 -Ic 1',
  'node -e 1',
  'node --eval=1',
  'node -pe 1',
  'env A=1 sh -c ls',
  'npx -c ls',
  'npx --call=ls',
  'deno eval 1',
  'cmd.exe /c dir',
  'pwsh -EncodedCommand AAAA',
])('the command %s has a warning about code in its arguments', (line) => {
  expect(warningsOf(line)).toContain('runs code that is written in the arguments');
});

it.each([
  'npx -y some-server',
  'npx some-server@latest',
  'npx -y @scope/some-server',
  'npx --package=tool@1 run',
  'pnpm dlx tool',
  'uvx tool',
  'uvx --from tool run',
  'uv tool run tool',
  'docker run image:latest',
])('the command %s has a warning about a missing exact version', (line) => {
  expect(warningsOf(line)).toContain('What it loads may change without asking again.');
});

it.each([
  'node server.mjs',
  'npx -y some-server@1.2.3',
  'npx @scope/tool@1.0.0-rc.1',
  'uvx tool==1.2.3',
  'python3 -m tool',
])('%s has no warning', (line) => {
  expect(warningsOf(line)).toBe('');
});

it('variables that load code, and placeholders, are shown by name', () => {
  expect(warningsOf('node server.mjs', ['NODE_OPTIONS', 'TOKEN'])).toBe('NODE_OPTIONS can make it load other code.');
  const filledBy = [
    { name: 'PLACE', by: 'ann@example.org' },
    { name: 'HOST', by: undefined },
  ];
  expect(warningsOf('node server.mjs', [], filledBy)).toBe(
    'The value of PLACE, which ann@example.org has set, decides what starts. Another value of a secret asks again. ' +
      'The value of HOST, which the operator sets, decides what starts. Another value of a secret asks again.',
  );
});

it('says what is different from the command that was approved', () => {
  const before = {
    command: 'node',
    args: ['a.mjs', '--safe'],
    cwd: undefined,
    environment: ['TOKEN'],
    files: [{ path: 'a.mjs', hash: '1' }],
    moreFiles: 0,
  };
  const after = {
    ...before,
    args: ['a.mjs', '--all', 'x'],
    environment: ['KEY', 'TOKEN'],
    files: [
      { path: 'a.mjs', hash: '2' },
      { path: 'b.mjs', hash: '3' },
    ],
  };
  expect(commandChanges(before, after)).toEqual([
    'Argument 2 was "--safe" and is "--all".',
    'Argument 3 is new: "x".',
    'Variable KEY is new.',
    'File b.mjs is new.',
    'File a.mjs has other content.',
  ]);
  expect(commandChanges(before, before)).toEqual(['A value of its environment, or its roots, is different.']);
});
