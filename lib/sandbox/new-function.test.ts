import { describe, expect, it } from 'vitest';
import { type FunctionKind, functionPhases } from '@/lib/cards/edit/function-skeleton';
import { addFunction } from '@/lib/cards/edit/new-function';
import { textResult } from '@/lib/testing/code-calls';
import { hasPython, testCodeHosts, textsOf } from '@/lib/testing/test-code-hosts';
import { createCodeHosts } from './code-hosts';

const javascript = testCodeHosts(createCodeHosts, 'without python');
const python = testCodeHosts(createCodeHosts, 'with python');

function skeleton(file: string, name: string, kind: FunctionKind): string {
  const changes = addFunction(new Map(), { file, name, kind });
  return (changes.ok && changes.value.get(file)) || '';
}

const cases = ['f.ts', 'f.cts', 'f.js', 'f.cjs', 'f.py'].map((file) => [file] as const);

describe.each(cases)('the skeletons in %s', (file) => {
  const isPython = file.endsWith('.py');
  const hostsOf = isPython ? python : javascript;
  const check = isPython && !hasPython() ? it.skip : it;

  check('run as a tool that a model understands', async () => {
    const { hosts, card, call } = hostsOf(`function_tools: [${file}:made]`, { [file]: skeleton(file, 'made', 'tool') });
    const { tools, issues } = await hosts.tools.list(card, new AbortController().signal);
    expect(issues).toEqual([]);
    expect(tools.map(({ description, inputSchema }) => ({ description, inputSchema }))).toMatchObject([
      {
        description: expect.stringContaining('say here what the tool does'),
        inputSchema: {
          properties: { text: { type: 'string', description: 'What the tool works on.' } },
          required: ['text'],
        },
      },
    ]);
    expect(textsOf(await call('made', { text: 'hello' }))).toEqual(['hello']);
  });

  check('run as middleware that passes the call on', async () => {
    const { hook } = hostsOf(`tool_hooks: [${file}:made]`, { [file]: skeleton(file, 'made', 'hook') });
    const outcome = await hook({ x: 1 }, async (args) => textResult(JSON.stringify(args)));
    expect(outcome).toMatchObject({ result: textResult('{"x":1}') });
  });

  check('load as the hook of every phase, and change nothing', async () => {
    const all = functionPhases.map((phase) => `${phase}: ${file}:${phase}`);
    const lines = (test: (phase: string) => boolean) => all.filter(test).map((line) => `  ${line}`);
    const isLifecycle = (line: string) => /^on_/.test(line);
    const front = ['tool_hooks:', ...lines((line) => !isLifecycle(line)), 'lifecycle_hooks:', ...lines(isLifecycle)];
    const text = functionPhases.map((phase) => skeleton(file, phase, phase)).join('\n');
    const { hosts, card } = hostsOf(front.join('\n'), { [file]: text });
    const { signal } = new AbortController();
    expect(await hosts.hooks.load(card, signal)).toEqual([]);
    const ref = card.toolHooks.form === 'phases' ? card.toolHooks.phases.after_tool_call : undefined;
    if (ref === undefined) throw new Error('The card has no such hook.');
    const context = { agentName: 'coder[1]', messageHistory: [] };
    const control = { signal, log: () => {} };
    expect(await hosts.hooks.phase(ref, 'after_tool_call', context, control)).toEqual({ ok: true, changes: {} });
  });
});
