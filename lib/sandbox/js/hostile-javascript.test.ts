import { describe, expect, it } from 'vitest';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { textResult as say } from '@/lib/testing/code-calls';
import { testCodeHosts, textsOf as text } from '@/lib/testing/test-code-hosts';

const hostsOf = testCodeHosts(createCodeHosts, 'without python');

const quiet = new AbortController().signal;

describe('hostile JavaScript', () => {
  const limits = { cpuMs: 500, callMs: 2_500, memoryBytes: 16 * 1024 * 1024 };
  const attacks: Record<string, string> = {
    'an endless loop': `export function f() { for (;;); }`,
    'an endless loop of microtasks': `export async function f() { for (;;) await null; }`,
    'an endless timer': `export async function f() { for (;;) await new Promise((done) => setTimeout(done, 0)); }`,
    'a native loop that cannot be interrupted': `export function f() { return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }`,
    'an allocation without end': `export function f() { const kept = []; for (;;) kept.push(new Uint8Array(65536)); }`,
    'a string that doubles': `export function f() { let s = 'x'; for (;;) s += s; }`,
    'recursion without end': `export function f() { return f() + 1; }`,
    'recursion inside the interpreter': `export function f() { return JSON.parse('['.repeat(5e6)); }`,
    'a nested value to print': `export function f() { let o = []; for (let i = 0; i < 1e5; i++) o = [o]; return String(o); }`,
    'a catastrophic regular expression': `export function f() { return /^(a+)+$/.test('a'.repeat(50) + 'b'); }`,
    'a huge result': `export function f() { return 'x'.repeat(8e6); }`,
    'a thrown nothing': `export function f() { throw undefined; }`,
    'a result that cannot be JSON': `export function f() { const a = {}; a.a = a; return a; }`,
    'an error that lies about itself': `export function f() { throw { get message() { throw 1; }, toString() { throw 2; } }; }`,
  };

  describe('beside a good function', () => {
    // All attacks are on one host, as in a run, so each also finds what the attacks before it have left.
    const codes = Object.values(attacks).map((code, at) => code.replaceAll(/\bf\(/g, `attack${at}(`));
    const { call } = testCodeHosts(createCodeHosts, 'without python', 'after all tests')(
      `function_tools: [good.js:ok, ${codes.map((_, at) => `bad${at}.js:attack${at}`)}]`,
      {
        ...Object.fromEntries(codes.map((code, at) => [`bad${at}.js`, code])),
        'good.js': `export async function ok(n) { await new Promise((done) => setTimeout(done, n)); return n; }`,
      },
      limits,
    );

    it.each(Object.keys(attacks).map((name, at) => [name, at] as const))('%s ends only its own call', async (_, at) => {
      const [bad, beside] = await Promise.all([call(`attack${at}`), call('ok', { n: 100 })]);
      expect(bad.isError).toBe(true);
      expect(beside).toEqual(say('100'));
      expect(await call('ok', { n: 1 })).toEqual(say('1'));
    });
  });

  it('ends only its own call when there are many more than may work at once, with hooks around them', async () => {
    const { call, hook } = hostsOf(
      'function_tools: [bad.js:f]\ntool_hooks: [h.js:passOn]',
      {
        'bad.js': `export function f(n) { if (n === 3) Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); return n; }`,
        'h.js': `export const passOn = (ctx, args, next) => next(args);`,
      },
      { threads: 2, hooks: 3, cpuMs: 500 },
    );
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        hook({ n }, async (outer) => {
          const inner = await hook(outer, (args) => call('f', args));
          return inner.ok ? inner.result : say(inner.message);
        }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.ok && outcome.result)).toEqual(
      Array.from({ length: 8 }, (_, n) =>
        n === 3 ? expect.objectContaining({ isError: true, errorCode: 'TOOL_TIMEOUT' }) : say(String(n)),
      ),
    );
  });

  it('is told as what it is when it computes too long', async () => {
    const { call } = hostsOf(
      'function_tools: [t.js:sync, t.js:late]',
      {
        't.js': `export function sync() { for (;;); }
          export async function late() { try { await (async () => { for (;;); })(); } catch {} return 'got away'; }`,
      },
      { cpuMs: 300 },
    );
    for (const name of ['sync', 'late']) {
      expect(await call(name)).toEqual({
        ...say(`Error: t.js:${name}: It computed for longer than 0.3 s.`),
        isError: true,
        errorCode: 'TOOL_TIMEOUT',
      });
    }
  });

  it('has a heap of so many megabytes, however it asks for them', async () => {
    const { call } = hostsOf(
      'function_tools: [t.js:some, t.js:most, t.js:much, t.js:pieces, t.js:objects, t.js:later]',
      {
        't.js': `export function some() { return new Uint8Array(40e6).fill(1).length; }
        export function most() {
          const kept = [];
          try { for (;;) kept.push(new Uint8Array(1e6).fill(1)); } catch {}
          const count = kept.length;
          kept.length = 0;
          return count;
        }
        export function much() { return new Uint8Array(200e6).length; }
        export function pieces() { const kept = []; for (;;) kept.push(new Uint8Array(1e6).fill(1)); }
        export function objects() { const kept = []; for (;;) kept.push({}); }
        export async function later() { const kept = []; for (;;) { await null; kept.push(new Array(1e5).fill({})); } }`,
      },
      { cpuMs: 60_000 },
    );
    expect(await call('some')).toEqual(say('40000000'));
    const [most] = text(await call('most'));
    expect(Number(most)).toBeGreaterThan(60);
    expect(Number(most)).toBeLessThan(90);
    for (const name of ['much', 'pieces', 'objects', 'later']) {
      expect(await call(name)).toEqual({
        ...say(`Error: t.js:${name}: It used more than 64 MB of memory.`),
        isError: true,
        errorCode: 'TOOL_FAILED',
      });
    }
    expect(await call('some')).toEqual(say('40000000'));
  });

  it('reaches neither process nor network nor files', async () => {
    const { call } = hostsOf('function_tools: [t.js:look]', {
      't.js': `export async function look() {
        const names = ['process', 'require', 'module', 'fetch', 'XMLHttpRequest', 'Deno', 'Bun', 'std', 'os', 'WebAssembly', 'importScripts', 'postMessage', 'Buffer', 'scriptArgs'];
        const found = names.filter((name) => name in globalThis);
        for (const name of ['fs', 'node:fs', 'os', 'std', './other.js', '/etc/passwd']) {
          try { await import(name); found.push(name); } catch {}
        }
        for (const make of ['return process', 'return this.constructor.constructor("return process")()']) {
          try { if (new Function(make)()) found.push(make); } catch {}
        }
        return found;
      }`,
    });
    expect(text(await call('look'))).toEqual(['[]']);
  });

  it('cannot import a path that is put together from the disk', async () => {
    const { call } = hostsOf('function_tools: [lib/t.js:look]', {
      'lib/t.js': `export async function look() {
        const found = [];
        for (const path of ['./package.json', '../package.json', '/etc/passwd', 'constructor', '__proto__', './other.js']) {
          try { found.push([path, Object.keys(await import(path.slice(0, 2) + path.slice(2)))]); } catch {}
        }
        try { found.push(require('./package' + '.json')); } catch {}
        return found;
      }
      export const known = () => import('./other.js');`,
      'lib/other.js': `export const other = 1;`,
    });
    expect(text(await call('look'))).toEqual(['[["./other.js",["other"]]]']);
  });

  it('shares modules between files, in circles too, and reads JSON and CommonJS', async () => {
    const { call } = hostsOf('function_tools: [a.ts:f]', {
      'a.ts': `import { b } from './lib/b.js';\nimport data from './data.json';\nimport old from './old.cjs';\nexport const one = () => 1;\nexport const f = () => [b(), data.x, old.y];`,
      'lib/b.ts': `import { one } from '../a';\nexport const b = () => one() + 1;`,
      'data.json': '{"x": 2}',
      'old.cjs': 'module.exports = { y: 3 };',
    });
    expect(text(await call('f'))).toEqual(['[2,2,3]']);
  });

  it('cannot import what is not in the project', async () => {
    const { hosts, card } = hostsOf('function_tools: [a.ts:f, b.ts:f, c.ts:f]', {
      'a.ts': `import fs from 'node:fs';\nexport const f = () => fs;`,
      'b.ts': `import { x } from '../../etc/passwd';\nexport const f = () => x;`,
      'c.ts': `export const f = (a: number = => 1;`,
    });
    const issues = await hosts.hooks.load(card, quiet);
    expect(issues.map(({ code, file, line }) => `${code} ${file}:${line}`)).toEqual([
      'code-syntax a.ts:1',
      'code-syntax b.ts:1',
      'code-syntax c.ts:1',
    ]);
  });

  it('is found before a run when it cannot be loaded', async () => {
    const { hosts, card } = hostsOf(
      'function_tools: [a.ts:missing, a.ts:notOne, b.ts:f, loop.js:f, gone.ts:f, rest.ts:f]\ntool_hooks: [hook.py:h]',
      {
        'a.ts': `// one\nexport const notOne = 3;`,
        'b.ts': `export function f() {}\n\nconst config: { a?: { b: number } } = {};\nconfig.a!.b = 1;`,
        'loop.js': `for (;;);\nexport function f() {}`,
        'rest.ts': `export function f(...all: string[]) {}`,
        'hook.py': `async def h(ctx, args, call_next): ...`,
      },
      limits,
    );
    const issues = await hosts.hooks.load(card, quiet);
    expect(issues.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`)).toEqual([
      "code-load coder.md:4 Function tool 'a.ts:missing': 'missing' is not defined at top level.",
      "code-load a.ts:2 Function tool 'a.ts:notOne': 'notOne' is not a function but number.",
      expect.stringMatching(/^code-load b.ts:4 .*TypeError/),
      expect.stringMatching(/^code-load loop.js:\d .*longer than 0.5 s/),
      "code-file-missing coder.md:4 Function tool 'gone.ts:f': There is no text file 'gone.ts' in the project. Add it or correct the path.",
      expect.stringMatching(/^code-signature rest.ts:1 /),
      expect.stringMatching(/^python-off coder.md:5 .*CALLBOARD_PYTHON=1/),
    ]);
  });
});
