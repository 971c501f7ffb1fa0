import { spawnSync } from 'node:child_process';
import { afterAll, afterEach } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { HookPort, ToolPort } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { type CodeCalls, codeCalls } from './code-calls';
import { codeCard } from './code-card';

interface Ports {
  readonly tools: ToolPort;
  readonly hooks: HookPort;
  close(): Promise<void>;
}

interface Python {
  readonly enabled: boolean;
  readonly interpreter: string;
  readonly searchPath?: string | undefined;
}

type Create<Hosts extends Ports, Limits extends object> = (input: {
  readonly folder: Folder;
  readonly python: Python;
  readonly limits?: Limits;
}) => Hosts;

export interface TestHosts<Hosts extends Ports> {
  readonly hosts: Hosts;
  readonly card: AgentCard;
  readonly logs: CodeCalls['logs'];
  readonly call: CodeCalls['tool'];
  readonly hook: CodeCalls['hook'];
}

// Another interpreter can be tested with CALLBOARD_TEST_PYTHON=/opt/python3.9/bin/python.
const interpreter = process.env.CALLBOARD_TEST_PYTHON ?? 'python3';

/** True if Python 3.9 or newer is installed. Otherwise prints that tests are skipped. */
export function hasPython(): boolean {
  const { status } = spawnSync(interpreter, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
  if (status !== 0) console.warn('There is no python3 of 3.9 or newer here: the tests of Python code are skipped.');
  return status === 0;
}

/**
 * Returns a function that creates code hosts for an agent with some front matter, in a folder with some files. They are closed
 * after the test, or after all tests that share them. Call it once at the top of a test file or of a `describe`.
 */
export function testCodeHosts<Hosts extends Ports, Limits extends object>(
  create: Create<Hosts, Limits>,
  python: 'with python' | 'without python',
  closed: 'after each test' | 'after all tests' = 'after each test',
) {
  const open: Hosts[] = [];
  const after = closed === 'after each test' ? afterEach : afterAll;
  after(async () => {
    await Promise.all(open.splice(0).map((hosts) => hosts.close()));
  });
  return function hostsOf(
    frontMatter: string,
    files: Readonly<Record<string, string>>,
    limits?: Limits,
    setting: Python = { enabled: python === 'with python', interpreter, searchPath: process.env.PATH },
  ): TestHosts<Hosts> {
    const { folder, card } = codeCard(frontMatter, files);
    const hosts = create({ folder, python: setting, ...(limits && { limits }) });
    open.push(hosts);
    const calls = codeCalls(hosts, card);
    return { hosts, card, logs: calls.logs, call: calls.tool, hook: calls.hook };
  };
}

/** Returns the text of each block, or the type of other blocks. */
export function textsOf(result: ToolResult): string[] {
  return result.content.map((block) => (block.type === 'text' ? block.text : block.type));
}
