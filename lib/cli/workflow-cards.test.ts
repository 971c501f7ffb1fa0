import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAt, startExampleRemote } from '@/lib/testing/a2a/example-remote';
import { callCallboard } from '@/lib/testing/callboard';
import { type FakeReply, type FakeRequest, startFakeOpenAI } from '@/lib/testing/fake-openai';
import { writeServer } from '@/lib/testing/mcp-servers';
import { workflowReplies } from '@/lib/testing/workflow-replies';

/**
 * Folders with the fields and the wiring of fast-agent's example workflows (`examples/workflows-md` in its repository), run by the
 * command line with models of several providers over HTTP.
 */

let root = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-workflows-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const config = `mcp:
  servers:
    fetch:
      target: "node fetch.mjs"
anthropic:
  wire: chat
`;
const fetchTool = `server.registerTool('fetch', { inputSchema: { url: z.string() } }, ({ url }) => text('The page at ' + url));`;

/** Writes cards, each given by name as its front matter and its instruction. */
async function project(name: string, cards: Readonly<Record<string, readonly [string, string]>>): Promise<string> {
  const folder = path.join(root, name);
  await mkdir(path.join(folder, 'agent-cards'), { recursive: true });
  await writeFile(path.join(folder, 'fast-agent.yaml'), config);
  await writeServer(folder, fetchTool, { file: 'fetch.mjs' });
  for (const [card, [lines, instruction]] of Object.entries(cards)) {
    await writeFile(path.join(folder, `agent-cards/${card}.md`), `---\n${lines}\nname: ${card}\n---\n${instruction}\n`);
  }
  return folder;
}

interface Outcome {
  readonly answer: string;
  /** The model of each request and the beginning of its instruction. */
  readonly asked: readonly string[];
  readonly requests: readonly FakeRequest[];
}

function nth(requests: readonly FakeRequest[], index: number): FakeRequest {
  const request = requests[index];
  if (!request) throw new Error(`There are only ${requests.length} requests.`);
  return request;
}

/** Checks and runs a folder. Cards without a model get `gpt-5-mini`. */
async function runCards(folder: string, agent: string, say: (request: FakeRequest) => FakeReply): Promise<Outcome> {
  const server = await startFakeOpenAI({ respond: workflowReplies(say) });
  const { url } = server;
  const keys = { OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'x', OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url };
  try {
    const checked = await callCallboard(['check', folder, '--agent', agent], keys);
    expect(checked).toMatchObject({ code: 0 });
    const more = ['--agent', agent, '--model', 'gpt-5-mini', '--message', 'Begin.', '--trust', '--strict'];
    const { code, stdout, stderr } = await callCallboard(['run', folder, ...more], keys);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const asked = server.requests.map((request) => `${request.model}: ${instructionOf(request).slice(0, 14)}`);
    return { answer: stdout.trim(), asked, requests: server.requests };
  } finally {
    await server.close();
  }
}

function instructionOf({ messages }: FakeRequest): string {
  return messages.find(({ role }) => role !== 'user')?.text ?? '';
}

function inputOf({ messages }: FakeRequest): string {
  return messages.findLast(({ role }) => role === 'user')?.text ?? '';
}

test('a chain whose first agent has a server', async () => {
  const folder = await project('chain', {
    post_writer: ['type: chain\ndefault: true\nsequence:\n- url_reader\n- poster', 'From a page to a post.'],
    url_reader: ['type: agent\nservers:\n- fetch', 'Read the page and say what it is about.'],
    poster: ['type: agent', 'Post the text in a few words.'],
  });
  const { answer, asked, requests } = await runCards(folder, 'post_writer', ({ tools, messages }) => {
    if (tools.length === 0) return { text: 'Read this!' };
    const result = messages.find(({ role }) => role === 'tool');
    return result ? { text: result.text } : { toolCalls: [{ name: 'fetch__fetch', arguments: { url: 'a.example' } }] };
  });
  expect(answer).toBe('Read this!');
  expect(asked).toEqual(['gpt-5-mini: Read the page ', 'gpt-5-mini: Read the page ', 'gpt-5-mini: Post the text ']);
  expect(inputOf(nth(requests, 2))).toBe('The page at a.example');
});

test('an evaluator_optimizer with models of its own, and null for its refinement_instruction', async () => {
  const lines = 'generator: author\nevaluator: judge\nmin_rating: EXCELLENT\nmax_refinements: 3';
  const folder = await project('evaluator', {
    letter: [`type: evaluator_optimizer\n${lines}\nrefinement_instruction: null`, 'Letters that get better.'],
    author: ['type: agent\nmodel: gpt-5-nano?reasoning=low\nservers:\n- fetch', 'Write a letter for a job.'],
    judge: ['type: agent\nmodel: o3-mini?reasoning=medium', 'Rate how clear the letter is.'],
  });
  let drafts = 0;
  const { answer, asked, requests } = await runCards(folder, 'letter', () => {
    drafts += 1;
    return { text: `Letter ${drafts}` };
  });
  expect(answer).toBe('Letter 2');
  const pair = ['gpt-5-nano: Write a letter', 'o3-mini: Rate how clear'];
  expect(asked).toEqual([...pair, ...pair]);
  for (const part of ['Begin.', 'Letter 1', 'rating="FAIR"', 'Name a number.', '- numbers']) {
    expect(inputOf(nth(requests, 2))).toContain(part);
  }
});

test('a MAKER with normalized answers and a limit of their length', async () => {
  const lines = 'worker: sorter\nk: 3\nmax_samples: 10\nmatch_strategy: normalized\nred_flag_max_length: 20';
  const folder = await project('maker', {
    reliable_sorter: [`type: MAKER\n${lines}`, 'Sorts reliably.'],
    sorter: ['type: agent\nmodel: claude-haiku-4-5', 'Answer COMPLAINT or QUESTION alone.'],
  });
  const said = ['Complaint', 'It may well be a question', 'COMPLAINT'];
  const { answer, asked } = await runCards(folder, 'reliable_sorter', ({ number }) => ({
    text: said[number - 1] ?? 'complaint',
  }));
  expect(answer.toLowerCase()).toBe('complaint');
  expect(asked).toEqual(Array.from({ length: 4 }, () => 'claude-haiku-4-5: Answer COMPLAI'));
});

test('an iterative_planner that places its agents in its instruction', async () => {
  const lines = 'model: sonnet\nagents:\n- finder\n- writer\n- reader\nplan_iterations: 5';
  const folder = await project('planner', {
    plan: [`type: iterative_planner\n${lines}`, 'Plan the work.\n\n{{agents}}\n\nName agents exactly.'],
    finder: ['type: agent\nmodel: gpt-4.1\nservers:\n- fetch', 'Find what is asked for.'],
    writer: ['type: agent', 'Write down what you are told.'],
    reader: ['type: agent\nmodel: gpt-4.1', 'Look for mistakes in the text.'],
  });
  const { answer, asked, requests } = await runCards(folder, 'plan', (request) => ({
    text: instructionOf(request).startsWith('Plan') ? 'All in all' : 'Found',
  }));
  expect(answer).toBe('All in all');
  const planner = /^claude-sonnet-\S+: Plan the work\.$/;
  expect(asked).toEqual([
    expect.stringMatching(planner),
    // Both tasks at the same time, in either order.
    expect.stringMatching(/^gpt-4\.1: Find what is|^gpt-5-mini: Write down wh/),
    expect.stringMatching(/^gpt-4\.1: Find what is|^gpt-5-mini: Write down wh/),
    expect.stringMatching(planner),
    expect.stringMatching(planner),
  ]);
  expect(new Set(asked.slice(1, 3)).size).toBe(2);
  expect(instructionOf(nth(requests, 0))).toMatch(/"name":"finder"[\s\S]*"name":"reader"[\s\S]*Name agents exactly\./);
});

test('a parallel of three agents with a fan_in', async () => {
  const folder = await project('parallel', {
    reviews: ['type: parallel\nfan_out:\n- language\n- facts\n- style\nfan_in: grader', 'Reviews of a story.'],
    language: ['type: agent', 'Look for spelling mistakes.'],
    facts: ['type: agent', 'Look for contradictions.'],
    style: ['type: agent\nmodel: sonnet', 'Look at the style of it.'],
    grader: ['type: agent', 'Grade the whole story.'],
  });
  const { answer, asked, requests } = await runCards(folder, 'reviews', (request) => ({
    text: `By ${instructionOf(request).slice(0, 12)}`,
  }));
  expect(answer).toBe('By Grade the wh');
  expect(asked.slice(0, 3).sort()).toEqual([
    expect.stringMatching(/^claude-sonnet-\S+: Look at the st$/),
    'gpt-5-mini: Look for contr',
    'gpt-5-mini: Look for spell',
  ]);
  expect(asked.slice(3)).toEqual(['gpt-5-mini: Grade the whol']);
  const reviews = inputOf(nth(requests, 3)).match(/response agent="\w+">\n[^\n]+/g);
  expect(reviews?.map((each) => each.slice(16))).toEqual([
    'language">\nBy Look for spe',
    'facts">\nBy Look for con',
    'style">\nBy Look at the ',
  ]);
});

test('a router whose agents have servers', async () => {
  const folder = await project('router', {
    route: ['type: router\ndefault: true\nmodel: sonnet\nagents:\n- coder\n- talker\n- fetcher', 'Choose who answers.'],
    coder: ['type: agent\nmodel: haiku', 'Answer questions about code.'],
    talker: ['type: agent\nmodel: haiku', 'Answer everything else.'],
    fetcher: ['type: agent\nmodel: haiku\nservers:\n- fetch', 'Fetch what is asked for.'],
  });
  const { answer, asked, requests } = await runCards(folder, 'route', () => ({ text: 'Fetched' }));
  expect(answer).toBe('Fetched');
  expect(asked).toEqual([
    expect.stringMatching(/^claude-sonnet-\S+: Choose who ans$/),
    expect.stringMatching(/^claude-haiku-\S+: Fetch what is $/),
  ]);
  expect(instructionOf(nth(requests, 0))).toContain('"name":"fetch__fetch"');
  expect(inputOf(nth(requests, 1))).toBe('Begin.');
});

test('a remote agent beside agents with a model', async () => {
  const folder = path.join(root, 'a2a');
  await cp('examples/workflow-a2a', folder, { recursive: true });
  await rm(path.join(folder, 'callboard.yaml'));
  const remote = await startExampleRemote(folder);
  await callAt(remote.url, folder);
  const { answer, requests } = await runCards(folder, 'trip-cost', ({ number }) => ({
    text: number === 1 ? '900 NOK in EUR' : 'It costs 77.59 €.',
  }));
  await remote.stop();
  expect(answer).toBe('It costs 77.59 €.');
  expect(requests.map(inputOf)).toEqual(['Begin.', '900 NOK are 77.59 EUR. ']);
});
