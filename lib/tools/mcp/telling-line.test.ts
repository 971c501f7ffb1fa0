import { expect, test } from 'vitest';
import { tellingLine } from './telling-line';

const node = `node:internal/modules/cjs/loader:1386
  throw err;
  ^
Error: Cannot find module '/srv/tools.mjs'
    at Function._resolveFilename (node:internal/modules/cjs/loader:1383:15)
    at node:internal/main/run_main_module:36:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}
Node.js v20.20.2`;
const nodeImport = `node:internal/modules/package_json_reader:314
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^
Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@acme/tools' imported from /srv/tools.mjs
    at packageResolve (node:internal/modules/esm/resolve:873:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}
Node.js v20.20.2`;
const python = `Traceback (most recent call last):
  File "/srv/server.py", line 3, in <module>
    import pandas
ModuleNotFoundError: No module named 'pandas'`;
const pythonChain = `Traceback (most recent call last):
  File "/srv/server.py", line 3, in <module>
    port = int(text)
ValueError: invalid literal for int() with base 10: 'x'
During handling of the above exception, another exception occurred:
Traceback (most recent call last):
  File "/srv/server.py", line 5, in <module>
    raise SystemError("PORT must be a number")
SystemError: PORT must be a number`;
const npm = `npm error code E404
npm error 404 Not Found - GET https://npm.example/@acme%2ftools - Not found
npm error 404  '@acme/tools@*' is not in this registry.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log`;

test.each([
  ['Node, a missing file', node, "Error: Cannot find module '/srv/tools.mjs'"],
  [
    'Node, a missing package',
    nodeImport,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@acme/tools' imported from /srv/tools.mjs",
  ],
  ['Python', python, "ModuleNotFoundError: No module named 'pandas'"],
  ['Python, one error after another', pythonChain, 'SystemError: PORT must be a number'],
  ['npx', npm, "npm error 404  '@acme/tools@*' is not in this registry."],
  ['a shell', 'starting\nsh: 1: uvx: not found', 'sh: 1: uvx: not found'],
  ['a missing script', "python3: can't open file '/srv/x.py': [Errno 2] No such file or directory", undefined],
  ['a program that tells in the middle', 'Error: no token\nusage: serve [options]\n  --token TOKEN', 'Error: no token'],
  ['a program without any error', 'hello\nbye', 'bye'],
  ['nothing but a stack', '    at a\n    at b', 'at b'],
])('%s', (_, output, expected) => {
  expect(tellingLine(output.split('\n'))).toBe(expected ?? output);
});

test('a line of thousands of characters is cut', () => {
  expect(tellingLine([`Error: ${'x'.repeat(5_000)}`])).toHaveLength(301);
});
