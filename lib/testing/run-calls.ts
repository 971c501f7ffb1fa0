import { expect } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { Settings } from '@/lib/cards/settings';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { fakeClock } from './fake-clock';
import type { FakeTools } from './fake-tools';
import { graphOf } from './graph-of';
import { runGraph, type TestRun } from './run-graph';
import { type ScriptedModel, scriptedModel, type TestCall, type TestScript } from './scripted-model';

export interface CallsRun extends TestRun {
  /** The results of the calls of `lead`, in the order in which they ended. */
  readonly results: readonly ToolResult[];
  /** The input messages of its children, in order. */
  readonly inputs: readonly string[];
  readonly model: ScriptedModel;
}

export interface CallsOptions {
  /** Replaces the default scripts: `lead` makes the calls in one batch and then says `end`; `kid` says `kid says`. */
  readonly scripts?: Readonly<Record<string, TestScript>>;
  readonly cards?: Readonly<Record<string, Partial<AgentCard>>>;
  readonly settings?: Partial<Settings>;
  readonly tools?: FakeTools;
  readonly folder?: Folder;
}

/** Runs `lead`, which makes the calls in one batch and then answers. */
export async function runCalls(
  shorthand: string,
  calls: readonly TestCall[],
  options: CallsOptions = {},
): Promise<CallsRun> {
  const clock = fakeClock();
  const model = scriptedModel({ kid: 'kid says', lead: [{ calls }, 'end'], ...options.scripts }, clock);
  const parsed = graphOf(shorthand, { cards: options.cards, settings: options.settings });
  const tools = options.tools ? { mcp: options.tools } : {};
  const run = await runGraph({ parsed, model, tools, clock, folder: options.folder });
  expect(model.unexpected).toEqual([]);
  return {
    ...run,
    model,
    results: run.sink.of('tool.ended').flatMap((event) => (event.path === 'lead' ? [event.result] : [])),
    inputs: run.sink.of('instance.started').flatMap(({ path, input }) => (path === 'lead' ? [] : [input])),
  };
}
