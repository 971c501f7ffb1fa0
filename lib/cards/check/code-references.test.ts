import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const fields = [
  ['function_tools', (spec: string) => `function_tools: [${JSON.stringify(spec)}]`],
  ['function_tools with entrypoint', (spec: string) => `function_tools: [{entrypoint: ${JSON.stringify(spec)}}]`],
  ['tool_hooks', (spec: string) => `tool_hooks: [${JSON.stringify(spec)}]`],
  ['phases of tool_hooks', (spec: string) => `tool_hooks: {before_tool_call: ${JSON.stringify(spec)}}`],
  ['lifecycle_hooks', (spec: string) => `lifecycle_hooks: {on_start: ${JSON.stringify(spec)}}`],
] as const;

/** References by which a folder has run code of the system, or of another place, in comparable products. */
const hostile = [
  'os.system',
  'os:system',
  'subprocess.run',
  'subprocess:run',
  'builtins:eval',
  '__import__',
  'module.py',
  'module.py:',
  ':run',
  '/usr/lib/python3/os.py:system',
  '/tmp/evil.py:run',
  '../../outside.py:run',
  'code/../../../outside.py:run',
  '~/evil.py:run',
  'C:\\evil.py:run',
  'file:///tmp/evil.py:run',
  'https://evil.example/a.py:run',
  'data:text/javascript,1:run',
  'missing.py:run',
  'module.py:missing',
  'module.py:__class__',
  'module.py:run.__globals__',
  'module.py:run; import os',
  'module.py:os.system',
  'module.txt:run',
];

const files = {
  'module.py': 'import os\n\nasync def run(ctx, args, call_next):\n    return await call_next(args)\n',
  'module.txt': 'def run(): ...\n',
};

describe.each(fields)('%s', (_, front) => {
  const errors = (spec: string) =>
    readFolder(folderOf({ ...files, 'a.md': `---\nname: a\n${front(spec)}\n---\nA.\n` })).issues.filter(
      ({ severity }) => severity === 'error',
    );

  test.each(hostile)('%s names no function of the folder and is an error', (spec) => {
    expect(errors(spec)).not.toEqual([]);
  });
});

test('a function of a file of the folder is what may be named', () => {
  const card = '---\nname: a\ntool_hooks: [module.py:run]\n---\nA.\n';
  const { issues } = readFolder(folderOf({ ...files, 'a.md': card }));
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});
