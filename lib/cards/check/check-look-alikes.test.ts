import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const card = (name: string, front = '') => `---\nname: ${name}\nmodel: passthrough\n${front}---\nHello.\n`;
const pay = 'export function pay() { return 1; }\n';
const messages = (files: Record<string, string>) =>
  readFolder(folderOf(files))
    .issues.filter(({ code }) => code === 'look-alike-names')
    .map(({ severity, file, line, message }) => `${severity} ${file}:${line} ${message}`);

test('two agents whose names look alike are an issue', () => {
  expect(messages({ 'a.md': card('payer'), 'b.md': card('p\u0430y\u0435r') })).toEqual([
    "warning b.md:2 The agent 'p\u0430y\u0435r' (U+0430, U+0435) looks like the agent 'payer'. Rename one of them.",
  ]);
});

test('a server, a tool and an agent are compared with each other', () => {
  const files = {
    'a.md': card('a', 'servers: [p\u0430y]\nfunction_tools: ["pay.ts:pay"]\n'),
    'pay.ts': pay,
    'fast-agent.yaml': 'mcp:\n  servers:\n    p\u0430y: { command: "true" }\n',
  };
  expect(messages(files)).toEqual([
    "warning fast-agent.yaml:3 The server 'p\u0430y' (U+0430) looks like the function tool 'pay'. Rename one of them.",
  ]);
});

test('files of hooks and tools that look alike are an issue', () => {
  expect(messages({ 'a.md': card('a'), 'pay.ts': pay, 'p\u0430y.ts': pay })).toEqual([
    "warning p\u0430y.ts:1 The file 'p\u0430y.ts' (U+0430) looks like the file 'pay.ts'. Rename one of them.",
  ]);
});

test('a name that mixes scripts is an issue by itself, and one in another script is none', () => {
  expect(messages({ 'a.md': card('p\u0430yer'), 'b.md': card('\u043f\u043e\u0447\u0442\u0430') })).toEqual([
    "warning a.md:2 The agent 'p\u0430yer' (U+0430) has a letter that looks like 'a' and is another. Write the name in letters of one script.",
  ]);
});

test('one name of function tools in two files is an issue, and one function of two agents is none', () => {
  const files = {
    'a.md': card('a', 'function_tools: ["pay.ts:pay"]\n'),
    'b.md': card('b', 'function_tools: ["pay.ts:pay"]\n'),
    'pay.ts': pay,
  };
  expect(messages(files)).toEqual([]);
  expect(messages({ ...files, 'c.md': card('c', 'function_tools: ["old/pay.ts:pay"]\n'), 'old/pay.ts': pay })).toEqual([
    "warning c.md:4 The function tool 'pay' is in 'old/pay.ts' and another one in 'pay.ts'. Who approves a call sees only the name. Rename one of them.",
  ]);
});
