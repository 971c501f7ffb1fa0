import { readFile } from 'node:fs/promises';
import { type Readable, Transform, type Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { nearName } from '@/lib/base/near-name';
import { err, ok, type Result } from '@/lib/base/result';
import { valueSentence } from '@/lib/base/value-advice';
import { exactBody, markedNumbers, marksAsDigits } from '@/lib/tools/mcp/exact-messages';
import { type AppClient, appClient } from './app-client';
import type { AppTool } from './app-tool';
import { faultOf } from './fault-of';
import { printNote, printResult } from './print';
import { projectTools } from './project-tools';
import { proposalTools } from './proposal-tools';
import { runTools } from './run-tools';

/** It comes with the package. Commands run from their sources. */
const skill = new URL('../../skills/callboard/SKILL.md', import.meta.url);
const usage = 'callboard mcp [--skill]';
/** A longer answer fills the context of a model for nothing. */
const longestAnswer = 60_000;

/**
 * `mcp`: an MCP server on stdin and stdout, with which coding agents read runs and projects of the running app and propose drafts. `--skill` prints
 * the skill that explains it. Exit code 0: the program closed stdin, or the skill was printed; 2: the arguments are wrong.
 */
export async function mcp(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--skill') {
    printResult(await readFile(skill, 'utf8'));
    return 0;
  }
  if (args.length > 0) {
    printNote(`Usage: ${usage}\n`);
    return 2;
  }
  await serveLines(appServer(appClient), process.stdin, process.stdout);
  return 0;
}

/** Serves until `input` ends. Numbers that a double cannot hold keep their digits, also as ids of requests. */
export async function serveLines(server: Server, input: Readable, output: Writable): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    input.once('end', () => void server.close());
  });
  const written = byLine(exactBody);
  written.pipe(output);
  await server.connect(new StdioServerTransport(input.pipe(byLine(markedNumbers)), written));
  await closed;
}

/** Makes the server. The app is looked for at each call, because it may start later than the program that asks. */
export function appServer(connect: () => AppClient): Server {
  const server = new Server({ name: 'callboard', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return refused(unknown('tool', params.name, toolNames));
    const input = readInput(tool, marksAsDigits(params.arguments ?? {}));
    return input.ok ? await answered(tool, connect, input.value) : refused(input.error);
  });
  return server;
}

const tools: readonly AppTool[] = [...projectTools, ...proposalTools, ...runTools];
const toolNames = tools.map(({ name }) => name);

function listed({ name, description, input, isReadOnly }: AppTool) {
  const inputSchema = z.toJSONSchema(z.strictObject(input), { io: 'input' });
  const annotations = { readOnlyHint: isReadOnly, destructiveHint: false };
  return ToolSchema.parse({ name, description, inputSchema, annotations });
}

/** Checks the arguments of a call. The error is a sentence that names the first wrong one. */
function readInput(tool: AppTool, given: unknown): Result<Parameters<AppTool['run']>[1], string> {
  const read = z.strictObject(tool.input).safeParse(given);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  if (issue === undefined) return err('The arguments cannot be read.');
  const place = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return err(`${place}: ${valueSentence(issue)}`);
  const words = unknown('argument', issue.keys[0] ?? '', place === '' ? Object.keys(tool.input) : []);
  return err(place === '' ? words : `${place}: ${words}`);
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const near = nearName(name, known);
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`;
  return `There is no ${what} '${name.slice(0, 100)}'.${hint}${known.length === 0 ? '' : ` Known: ${known.join(', ')}.`}`;
}

function refused(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Messages of both directions are one line each. */
function byLine(change: (line: string) => string): Transform {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      done(null, lines.map((line) => `${change(line)}\n`).join(''));
    },
    flush(done) {
      done(null, rest === '' ? '' : change(rest));
    },
  });
}

async function answered(
  tool: AppTool,
  connect: () => AppClient,
  input: Parameters<AppTool['run']>[1],
): Promise<CallToolResult> {
  try {
    const value = await tool.run(connect(), input);
    return { content: [{ type: 'text', text: shown(typeof value === 'string' ? value : JSON.stringify(value)) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: faultOf(error) }], isError: true };
  }
}

function shown(text: string): string {
  if (text.length <= longestAnswer) return text;
  return `${text.slice(0, longestAnswer)}\n… cut at ${longestAnswer} of ${text.length} characters. Ask for less: a smaller limit, a filter, fewer paths.`;
}
