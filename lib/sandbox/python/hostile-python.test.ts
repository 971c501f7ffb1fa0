import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { HookOutcome } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { textResult as say } from '@/lib/testing/code-calls';
import { liveProcesses } from '@/lib/testing/live-processes';
import { hasPython, testCodeHosts, textsOf as text } from '@/lib/testing/test-code-hosts';

const hostsOf = testCodeHosts(createCodeHosts, 'with python');
const isPythonHere = hasPython();

describe.skipIf(!isPythonHere)('hostile Python', () => {
  const limits = { callMs: 1_500, pythonMemoryBytes: 256 * 1024 * 1024, pythonProcesses: 10 };
  const attacks: Record<string, string> = {
    'an endless loop': `async def f():\n    while True: pass`,
    'an endless loop in a thread': `def f():\n    while True: pass`,
    'an endless loop of microtasks': `import asyncio\nasync def f():\n    while True:\n        try:\n            await asyncio.sleep(0)\n        except BaseException:\n            pass`,
    'an allocation without end': `def f():\n    kept = []\n    while True: kept.append(bytearray(1 << 20))`,
    'a flood of printing': `def f():\n    while True: print('x' * 1000)`,
    'a flood on the descriptor': `import os\ndef f():\n    while True: os.write(1, b'x' * 65536)`,
    'a flood of messages': `import os\ndef f():\n    while True: os.write(4, b'{"type":"log","id":1,"level":"info","text":"x"}\\n' * 100)`,
    'a fork bomb': `import os, time\ndef f():\n    for _ in range(40):\n        if os.fork() == 0: time.sleep(60)\n    time.sleep(60)`,
    'a bomb of a shell': `import subprocess\ndef f():\n    subprocess.run(['sh', '-c', 'i=0; while [ $i -lt 40 ]; do sleep 60 & i=$((i+1)); done; wait'])`,
    'an exit': `import os\ndef f():\n    os._exit(7)`,
    'a polite exit': `import sys\nasync def f():\n    sys.exit(1)`,
    'a crash': `import ctypes\ndef f():\n    ctypes.string_at(0)`,
    'a signal': `import os, signal\ndef f():\n    os.killpg(0, signal.SIGKILL)`,
    'recursion without end': `def f():\n    return f()`,
    'a catastrophic regular expression': `import re\nasync def f():\n    return bool(re.match(r'^(a+)+$', 'a' * 60 + 'b'))`,
    'a huge result': `def f():\n    return 'x' * 9000000`,
    'a result that is its own part': `def f():\n    a = {}\n    a['a'] = a\n    return a`,
    'an error that lies about itself': `class E(Exception):\n    def __str__(self): raise ValueError('no')\ndef f():\n    raise E()`,
  };

  describe('beside a good function', () => {
    // All attacks are on one host, as in a run, so each also finds what the attacks before it have left.
    const codes = Object.values(attacks).map((code, at) => code.replaceAll(/\bf\(/g, `attack${at}(`));
    const { call } = testCodeHosts(createCodeHosts, 'with python', 'after all tests')(
      `function_tools: [good.py:ok, ${codes.map((_, at) => `bad${at}.py:attack${at}`)}]`,
      {
        ...Object.fromEntries(codes.map((code, at) => [`bad${at}.py`, code])),
        'good.py': `import asyncio\nasync def ok(n: float):\n    await asyncio.sleep(n)\n    return n`,
      },
      limits,
    );

    it.each(Object.keys(attacks).map((name, at) => [name, at] as const))('%s ends only its own call', async (_, at) => {
      const [bad, beside] = await Promise.all([call(`attack${at}`), call('ok', { n: 0.5 })]);
      expect(bad.isError).toBe(true);
      expect(beside).toEqual(say('0.5'));
      expect(await call('ok', { n: 0 })).toEqual(say('0'));
    });
  });

  it('a line without end on the channel, and a flood of logs that avoids the count, are cut off', async () => {
    const { call, logs } = hostsOf('function_tools: [bad.py:line, bad.py:flood]', {
      'bad.py': `import os
def line():
    while True: os.write(4, b'x' * 65536)
def flood():
    for _ in range(50): os.write(4, b'{"type":"log","id":1,"level":"info","text":"x"}\\n' * 100)
    return 'done'`,
    });
    expect(text(await call('line')).join('')).toMatch(/sent a line of more than 12065536 bytes/);
    expect(text(await call('flood'))).toEqual(['done']);
    expect(logs.length).toBeLessThan(500);
  });

  it('ends only its own call when there are many more than may work at once, with hooks around them', async () => {
    const { call, hook } = hostsOf(
      'function_tools: [bad.py:f]\ntool_hooks: [h.py:pass_on]',
      {
        'bad.py': `import os\ndef f(n: int):\n    if n == 3: os._exit(9)\n    return n\n`,
        'h.py': `async def pass_on(ctx, args, call_next):\n    return await call_next(args)\n`,
      },
      { processes: 2, hooks: 3 },
    );
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        hook({ n }, (outer) => hook(outer, (inner) => call('f', inner)).then(resultOf)),
      ),
    );
    expect(outcomes.map(resultOf)).toEqual(
      Array.from({ length: 8 }, (_, n) =>
        n === 3
          ? {
              ...say('Error: bad.py:f: The Python process ended: exit code 9.'),
              isError: true,
              errorCode: 'TOOL_FAILED',
            }
          : say(String(n)),
      ),
    );
  });

  it('leaves no process behind, not even one that left its group', async () => {
    const { hosts, call } = hostsOf('function_tools: [t.py:spawn]', {
      't.py': `import subprocess
def spawn():
    subprocess.Popen(['sleep', '987'])
    subprocess.Popen(['sleep', '987'], start_new_session=True)
`,
    });
    await call('spawn');
    await expect.poll(() => liveProcesses('sleep 987')).toBe(2);
    await hosts.close();
    await expect.poll(() => liveProcesses('sleep 987')).toBe(0);
  });

  it.skipIf(systemFence().kind === 'none')(
    'leaves no daemon behind that forked twice and cleared its environment',
    async () => {
      const { hosts, call } = hostsOf('function_tools: [t.py:daemon]', {
        't.py': `import os
def daemon():
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 200)
            os.execve('/bin/sleep', ['sleep', '984'], {})
        os._exit(0)
    os.waitpid(child, 0)
`,
      });
      await call('daemon');
      await expect.poll(() => liveProcesses('sleep 984')).toBe(1);
      await hosts.close();
      await expect.poll(() => liveProcesses('sleep 984')).toBe(0);
    },
  );

  it('stops with the run, and its processes with it', async () => {
    const { call } = hostsOf('function_tools: [t.py:wait]', {
      't.py': `import subprocess\ndef wait():\n    print('started', flush=True)\n    subprocess.run(['sleep', '986'])\n`,
    });
    const stop = new AbortController();
    const asked = call('wait', {}, stop.signal);
    await expect.poll(sleepers).toBe(1);
    stop.abort();
    expect(await asked).toMatchObject({ isError: true, errorCode: 'AGENT_CANCELLED' });
    await expect.poll(sleepers).toBe(0);
  });

  it('end with a worker that is killed', async () => {
    const script = `
      import { systemFence } from '@/lib/sandbox/fence/fence';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
      import { codeCalls } from '@/lib/testing/code-calls';
      import { codeCard } from '@/lib/testing/code-card';
      const code = ['import subprocess', 'def loop():', '    subprocess.Popen(["sleep", "985"])', '    while True: pass', ''].join('\\n');
      const { folder, card } = codeCard('function_tools: [t.py:loop]', { 't.py': code });
      const hosts = createCodeHosts({ folder, python: { enabled: true, interpreter: 'python3' } });
      await codeCalls(hosts, card).tool('loop');
    `;
    const worker = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: 'inherit',
    });
    const children = () => processIds().filter((pid) => commandOf(pid).includes('sleep\x00985')).length;
    await expect.poll(children, { timeout: 20_000 }).toBe(1);
    worker.kill('SIGKILL');
    await expect.poll(children, { timeout: 5_000 }).toBe(0);
  });

  function sleepers(): number {
    return processIds().filter((pid) => commandOf(pid).includes('sleep\x00986')).length;
  }
});

function resultOf(outcome: HookOutcome): ToolResult {
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.result;
}

function processIds(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
