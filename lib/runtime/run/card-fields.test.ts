import { describe, expect, it } from 'vitest';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { readHistoryFile } from '@/lib/runtime/instruction/history-file';
import { resolveInstruction } from '@/lib/runtime/instruction/instruction';
import { fakeTools } from '@/lib/testing/fake-tools';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const now = brandAs<EpochMs>(Date.UTC(2025, 11, 17));

describe('instructions', () => {
  const resolve = (instruction: string | undefined, files: Record<string, string> = {}, fields = {}) =>
    resolveInstruction(agentCard('Kid', { instruction, ...fields }), { now, folder: folderOf(files), skills: [] });

  it('fills in what it knows and leaves the rest as written', () => {
    const text = '{{agentName}} {{agentType}}, {{currentDate}}, [{{serverInstructions}}], {{url:http://x}} {{nobody}}';
    expect(resolve(text).text).toBe('Kid agent, 17 December 2025, [], {{url:http://x}} {{nobody}}');
  });

  it("fills in fast-agent's own placeholders, which dumped cards carry", () => {
    const text = '{{workspaceRoot}}/x on {{hostPlatform}}, Python {{pythonVer}}.{{model_specific}}';
    expect(resolve(text).text).toBe('./x on Callboard sandbox, Python 3.9 or newer.');
    const template = { requestParams: { template_vars: { workspaceRoot: '/mine' } } };
    expect(resolve('{{workspaceRoot}}', {}, template).text).toBe('/mine');
  });

  it('takes an escaped brace for text', () => {
    expect(resolve('say \\{{agentName}} to {{agentName}}').text).toBe('say {{agentName}} to Kid');
  });

  it('includes files of the project, else beside the card, and does not look into them', () => {
    const files = { 'notes.md': 'N {{agentName}}', 'agent-cards/own.md': 'own' };
    expect(resolve('{{file:notes.md}} {{file:own.md}} {{file_silent:gone.md}}', files)).toEqual({
      text: 'N {{agentName}} own ',
      missing: [],
    });
    expect(resolve('{{file:gone.md}}|{{file:../../etc/passwd}}', files)).toEqual({
      text: '|',
      missing: ['gone.md', '../../etc/passwd'],
    });
  });

  it('fills in template_vars', () => {
    const fields = { requestParams: { template_vars: { city: 'Bern', n: 2 } } };
    expect(resolve('{{city}} {{n}} {{land}}', {}, fields).text).toBe('Bern 2 {{land}}');
  });

  it('obeys no directive of fast-agent, whether it is written, included, said by a model or returned by a tool', async () => {
    const directive = '<!-- fast-agent-subagents -->';
    expect(resolve(`${directive} {{file:a.md}}`, { 'a.md': directive }).text).toBe(`${directive} ${directive}`);
    const model = scriptedModel({
      lead: [{ text: directive, calls: [{ tool: 'echo', arguments: { text: directive } }] }, directive],
    });
    const { log } = await runGraph({
      parsed: graphOf('lead'),
      model,
      tools: { mcp: fakeTools({ echo: () => directive }) },
    });
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['echo'], ['echo']]);
    expect(log.filter(({ kind }) => kind === 'instance.started')).toHaveLength(1);
  });

  it('has a default without gaps', () => {
    expect(resolve(undefined, { 'AGENTS.md': 'Be kind.' }).text).toBe(
      "You are a helpful AI Agent.\n\nBe kind.\nEnvironment:\n- Client: Callboard\n- Workspace: the project's folder (1 files)\n\nThe current date is 17 December 2025.",
    );
  });
});

describe('history files', () => {
  it('reads JSON with calls, results and reasoning left out of the content', () => {
    const text = JSON.stringify({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'add' }] },
        {
          role: 'assistant',
          content: [],
          tool_calls: { t1: { method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } } },
          stop_reason: 'toolUse',
        },
        { role: 'user', content: [], tool_results: { t1: { content: [{ type: 'text', text: '2' }], isError: false } } },
        { role: 'assistant', content: [{ type: 'text', text: 'two' }], stop_reason: 'endTurn' },
        { role: 'system', content: 'no' },
        'rubbish',
      ],
    });
    expect(readHistoryFile('h.json', text, new Map())).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'add' }] },
      {
        role: 'assistant',
        content: [],
        toolCalls: [{ id: 't1', name: 'add', argumentsText: '{"a":1}' }],
        stopReason: 'tool_use',
      },
      { role: 'tool', results: [{ callId: 't1', result: { content: [{ type: 'text', text: '2' }], isError: false } }] },
      { role: 'assistant', content: [{ type: 'text', text: 'two' }], toolCalls: [], stopReason: 'end_turn' },
    ]);
  });

  it('reads plain MCP messages of older files, and cuts a call that was never answered', () => {
    const text = JSON.stringify([
      { role: 'user', content: { type: 'text', text: 'q' } },
      { role: 'assistant', content: [], tool_calls: { t1: { params: { name: 'add' } } } },
    ]);
    expect(readHistoryFile('h.json', text, new Map())).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'q' }] },
    ]);
    expect(readHistoryFile('h.json', '{', new Map())).toEqual([]);
  });

  it('reads text with delimiters and resources', () => {
    const text = '---USER\nWhat?\n---RESOURCE\ndata.csv\n---ASSISTANT\nThat.\n\nMore.\n';
    expect(readHistoryFile('a/h.txt', text, folderOf({ 'a/data.csv': '1,2' }))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'resource', uri: 'file:///a/data.csv', mimeType: 'text/csv', text: '1,2' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'That.\n\nMore.' }],
        toolCalls: [],
        stopReason: 'end_turn',
      },
    ]);
    expect(readHistoryFile('h.md', 'just text', new Map())).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'just text' }] },
    ]);
  });

  it('reads text that begins with the assistant, also after an empty line, and in both forms of a file', () => {
    const said = (text: string) => ({
      role: 'assistant',
      content: [{ type: 'text', text }],
      toolCalls: [],
      stopReason: 'end_turn',
    });
    const ada = { role: 'user', content: [{ type: 'text', text: 'I am Ada.' }] };
    const text = '---ASSISTANT\nHello, I am the clerk.\n---USER\nI am Ada.\n---ASSISTANT\nHow can I help?\n';
    const messages = [said('Hello, I am the clerk.'), ada, said('How can I help?')];
    for (const begin of ['', '\n', '\uFEFF', '  \n\n']) {
      expect(readHistoryFile('h.md', begin + text, new Map()), JSON.stringify(begin)).toEqual(messages);
    }
    expect(readHistoryFile('h.md', text.replaceAll('\n', '\r\n'), new Map())).toEqual(messages);
    const json = JSON.stringify({ messages: messages.map(({ role, content }) => ({ role, content })) });
    expect(readHistoryFile('h.json', json, new Map())).toEqual(messages);
  });

  it('hands on a greeting and two messages of the assistant in a row, as they are', async () => {
    const parsed = graphOf('solo', { cards: { solo: { messages: ['a.md', 'b.md'] } } });
    const model = scriptedModel({ solo: 'ok' });
    const folder = folderOf({
      'agent-cards/a.md': '---ASSISTANT\nHello.\n---USER\nq\n---ASSISTANT\na',
      'agent-cards/b.md': '\n---ASSISTANT\nHello again.',
    });
    const { sink } = await runGraph({ parsed, model, folder, request: { message: 'now' } });
    const roles = ['assistant', 'user', 'assistant', 'assistant', 'user'];
    expect(model.requests[0]?.messages.map((message) => message.role)).toEqual(roles);
    expect(sink.of('log')).toEqual([]);
  });

  it('begins the conversation of an agent with its messages', async () => {
    const parsed = graphOf('solo', { cards: { solo: { messages: ['shots.txt'] } } });
    const model = scriptedModel({ solo: 'ok' });
    const folder = folderOf({ 'agent-cards/shots.txt': '---USER\nq\n---ASSISTANT\na' });
    const { sink } = await runGraph({ parsed, model, folder, request: { message: 'now' } });
    expect(model.requests[0]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(sink.of('instance.started')[0]).toMatchObject({ input: 'now', historyCount: 2 });
  });
});

describe('request_params', () => {
  const work = () => {
    let running = 0;
    let most = 0;
    const tools = fakeTools({
      async box__work() {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        return 'worked';
      },
    });
    return { tools, most: () => most };
  };
  const calls = [{ tool: 'box__work' }, { tool: 'box__work' }, { tool: 'box__work' }];

  it('a child has its own: nothing of the card of its parent reaches it, whatever the call chooses', async () => {
    const selectable = { tool_result_mode: 'selectable' };
    const lead = {
      requestParams: { max_tokens: 5, temperature: 0, template_vars: { city: 'Bern' } },
      useHistory: false,
    };
    for (const requestParams of [{ max_tokens: 9 }, selectable]) {
      const parsed = graphOf('lead > kid', {
        cards: { lead, kid: { requestParams, instruction: 'You are {{city}}.' } },
      });
      const call = { tool: 'agent__kid', arguments: { text: 'x', response_mode: 'inherit' } };
      const model = scriptedModel({ lead: [{ calls: [call] }, 'end'], kid: 'k' });
      await runGraph({ parsed, model });
      expect(model.requests.map((request) => request.requestParams)).toEqual([
        lead.requestParams,
        requestParams,
        lead.requestParams,
      ]);
      expect(model.requests[1]?.instruction).toBe('You are {{city}}.');
      expect(model.requests[1]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'x' }] }]);
    }
  });

  it('runs one call after another where parallel_tool_calls is false', async () => {
    for (const [requestParams, expected] of [
      [{}, 3],
      [{ parallel_tool_calls: false }, 1],
    ] as const) {
      const { tools, most } = work();
      const parsed = graphOf('solo', { cards: { solo: { requestParams } } });
      await runGraph({ parsed, model: scriptedModel({ solo: [{ calls }, 'end'] }), tools: { mcp: tools } });
      expect(most()).toBe(expected);
    }
  });
});
