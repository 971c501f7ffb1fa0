import { readFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
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
  const server = appServer(appClient);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', () => void server.close());
  });
  await server.connect(new StdioServerTransport());
  await closed;
  return 0;
}

/** Makes the server. The app is looked for at each call, because it may start later than the program that asks. */
export function appServer(connect: () => AppClient): McpServer {
  const server = new McpServer({ name: 'callboard', version: '1' });
  for (const tool of [...projectTools, ...proposalTools, ...runTools]) {
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: tool.input,
        annotations: { readOnlyHint: tool.isReadOnly, destructiveHint: false },
      },
      async (input) => await answered(tool, connect, input),
    );
  }
  return server;
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
